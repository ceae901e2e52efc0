// The tower in WebGL: boxes drawn as instances of one cube, first what is solid, then what is glass.

import { type Film, PAINT } from "./film";
import type { Camera } from "./view";

const VERTEX = `#version 300 es
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 centre;
layout(location = 3) in vec3 size;
layout(location = 4) in vec4 turn;
layout(location = 5) in vec4 paint;
layout(location = 6) in float edge;
uniform mat4 view;
out vec3 at;
out vec3 face;
out vec3 place;
out vec4 colour;
flat out float rim;
vec3 turned(vec3 v) { return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v); }
void main() {
  at = corner;
  face = turned(normal);
  place = turned(corner * size) + centre;
  colour = paint;
  rim = edge;
  gl_Position = view * vec4(place, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec3 at;
in vec3 face;
in vec3 place;
in vec4 colour;
flat in float rim;
uniform vec3 eye;
out vec4 seen;
void main() {
  vec3 normal = normalize(face);
  vec3 light = normalize(vec3(0.55, -0.35, 0.95));
  float lit = 0.58 + 0.42 * max(0.0, dot(normal, light)) + 0.1 * max(0.0, normal.z);
  vec3 shade = colour.rgb * lit;
  float gloss = pow(max(0.0, dot(reflect(-light, normal), normalize(eye - place))), 24.0);
  shade += 0.12 * gloss;
  vec3 far = abs(at);
  float second = max(min(far.x, far.y), max(min(far.y, far.z), min(far.x, far.z)));
  float line = smoothstep(0.84, 0.9, second);
  if (rim > 0.5) shade = mix(shade, mix(shade, vec3(1.0), 0.75), line);
  else if (rim > 0.2) shade = mix(shade, shade * 0.62, line);
  seen = vec4(shade * colour.a, colour.a);
}`;

/** Floats of an instance: centre, size, turn, paint, edge. */
const STRIDE = 15;
const WOOD = [0.8, 0.68, 0.52, 1] as const;
const SOLID: Record<string, readonly [number, number, number, number]> = {
  board: [0.69, 0.5, 0.31, 1],
  upper_plate: [0.69, 0.5, 0.31, 1],
  lower_plate: [0.69, 0.5, 0.31, 1],
  ramp: [0.74, 0.62, 0.46, 1],
  tray: WOOD,
};
const GLASS: Record<string, readonly [number, number, number, number]> = {
  shaft: [0.55, 0.68, 0.78, 0.16],
  front: [0.55, 0.68, 0.78, 0.1],
  funnel: [0.55, 0.68, 0.78, 0.13],
};

/** Whether this browser can draw in three dimensions. */
export function canDraw(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}

/** Draws films on a canvas. */
export class Scene {
  private readonly gl: WebGL2RenderingContext;
  private readonly program: WebGLProgram;
  private readonly buffer: WebGLBuffer;
  private readonly view: WebGLUniformLocation | null;
  private readonly eye: WebGLUniformLocation | null;
  private solid: number[] = [];
  private glass: { row: number[]; centre: number[] }[] = [];
  private film: Film | null = null;

  constructor(private readonly canvas: HTMLCanvasElement) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: true, premultipliedAlpha: true });
    if (gl === null) throw new Error("this browser cannot draw in three dimensions");
    this.gl = gl;
    this.program = linked(gl);
    this.view = gl.getUniformLocation(this.program, "view");
    this.eye = gl.getUniformLocation(this.program, "eye");
    corners(gl);
    this.buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    const parts = [3, 3, 4, 4, 1];
    let offset = 0;
    for (const [place, size] of parts.entries()) {
      gl.enableVertexAttribArray(2 + place);
      gl.vertexAttribPointer(2 + place, size, gl.FLOAT, false, 4 * STRIDE, 4 * offset);
      gl.vertexAttribDivisor(2 + place, 1);
      offset += size;
    }
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  /** Takes over the fixed parts of a film. */
  show(film: Film): void {
    this.film = film;
    this.solid = [];
    this.glass = [];
    for (const { part, centre, half, rotation } of film.boxes) {
      const [solid, glass] = [SOLID[part], GLASS[part]];
      if (solid) this.solid.push(...centre, ...half, ...rotation, ...solid, 0);
      if (glass) this.glass.push({ centre, row: [...centre, ...half, ...rotation, ...glass, 0] });
    }
  }

  /** Draws a moment of the film. */
  draw(time: number, camera: Camera): void {
    const { gl, canvas, film } = this;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (film === null || width === 0 || height === 0) return;
    gl.useProgram(this.program);
    // The film moves with the tower; seen from the table, the tower is what moves.
    const [x, y] = film.shift(time);
    const matrix = camera.matrix(width / height);
    gl.uniformMatrix4fv(this.view, false, matrix);
    const eye = camera.eye;
    gl.uniform3f(this.eye, ...eye);
    const rows = [...this.solid];
    for (const [cube, { colour, edge, thrown }] of film.cubes.entries()) {
      const pose = film.pose(cube, time);
      if (pose === null) continue;
      const half = edge / 2;
      rows.push(...pose.centre, half, half, half, ...pose.rotation, ...PAINT[colour], 1, thrown ? 1 : 0.4);
    }
    this.instances(shifted(rows, x, y), true);
    const away = ({ centre }: { centre: number[] }) =>
      Math.hypot(...centre.map((value, axis) => value - (eye[axis] ?? 0)));
    const sorted = this.glass.toSorted((one, other) => away(other) - away(one));
    this.instances(
      shifted(
        sorted.flatMap((glass) => glass.row),
        x,
        y,
      ),
      false,
    );
  }

  private instances(rows: number[], opaque: boolean): void {
    const { gl } = this;
    gl.depthMask(opaque);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(rows), gl.DYNAMIC_DRAW);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, 36, rows.length / STRIDE);
    gl.depthMask(true);
  }

  /** Releases what the picture holds. */
  close(): void {
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

function shifted(rows: number[], x: number, y: number): number[] {
  for (let at = 0; at < rows.length; at += STRIDE) {
    rows[at] = (rows[at] ?? 0) + x;
    rows[at + 1] = (rows[at + 1] ?? 0) + y;
  }
  return rows;
}

function linked(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  for (const [kind, text] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(kind);
    if (shader === null) throw new Error("the graphics of this browser are lost");
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(gl.getProgramInfoLog(program) ?? "the graphics of this browser do not work");
  }
  return program;
}

/** The corners of a cube of half size 1, two triangles for each face, with the normals of the faces. */
function corners(gl: WebGL2RenderingContext): void {
  const values: number[] = [];
  for (let axis = 0; axis < 3; axis += 1) {
    for (const sign of [-1, 1]) {
      const order = sign > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
      const around = [[-1, -1], [1, -1], [1, 1], [-1, 1]] as const; // biome-ignore format: four corners
      for (const place of order) {
        const [u, v] = around[place] ?? [0, 0];
        const point = [0, 0, 0];
        const normal = [0, 0, 0];
        point[axis] = sign;
        point[(axis + 1) % 3] = u;
        point[(axis + 2) % 3] = v;
        normal[axis] = sign;
        values.push(...point, ...normal);
      }
    }
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(values), gl.STATIC_DRAW);
  for (const place of [0, 1]) {
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 24, 12 * place);
  }
}
