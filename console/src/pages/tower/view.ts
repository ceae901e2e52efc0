// Small matrices in column order, and the camera that goes around the tower.

export type Matrix = Float32Array;

function multiply(a: Matrix, b: Matrix): Matrix {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column += 1) {
    for (let row = 0; row < 4; row += 1) {
      let sum = 0;
      for (let k = 0; k < 4; k += 1) sum += (a[4 * k + row] ?? 0) * (b[4 * column + k] ?? 0);
      out[4 * column + row] = sum;
    }
  }
  return out;
}

function perspective(fieldOfView: number, aspect: number, near: number, far: number): Matrix {
  const scale = 1 / Math.tan(fieldOfView / 2);
  const depth = 1 / (near - far);
  return new Float32Array([
    ...[scale / aspect, 0, 0, 0],
    ...[0, scale, 0, 0],
    ...[0, 0, (near + far) * depth, -1],
    ...[0, 0, 2 * near * far * depth, 0],
  ]);
}

/** A camera that looks at a point from a direction; angles in radians, lengths in millimetres. */
export class Camera {
  azimuth = 0.62;
  elevation = 0.3;
  distance = 610;
  private readonly target = [38, 0, 104] as const;

  /** Moves around the tower, and nearer or farther. */
  turn(azimuth: number, elevation: number, zoom = 1): void {
    this.azimuth += azimuth;
    this.elevation = Math.min(1.5, Math.max(-0.02, this.elevation + elevation));
    this.distance = Math.min(1600, Math.max(220, this.distance * zoom));
  }

  reset(): void {
    Object.assign(this, { azimuth: 0.62, elevation: 0.3, distance: 610 });
  }

  get eye(): [number, number, number] {
    const flat = this.distance * Math.cos(this.elevation);
    return [
      this.target[0] + flat * Math.cos(this.azimuth),
      this.target[1] + flat * Math.sin(this.azimuth),
      this.target[2] + this.distance * Math.sin(this.elevation),
    ];
  }

  matrix(aspect: number): Matrix {
    const [sine, cosine] = [Math.sin(this.azimuth), Math.cos(this.azimuth)];
    const [high, flat] = [Math.sin(this.elevation), Math.cos(this.elevation)];
    const right = [-sine, cosine, 0] as const;
    const toward = [flat * cosine, flat * sine, high] as const;
    const up = [-high * cosine, -high * sine, flat] as const;
    const eye = this.eye;
    const dot = (axis: readonly [number, number, number]) =>
      -(axis[0] * eye[0] + axis[1] * eye[1] + axis[2] * eye[2]);
    const view = new Float32Array([
      ...[right[0], up[0], toward[0], 0],
      ...[right[1], up[1], toward[1], 0],
      ...[right[2], up[2], toward[2], 0],
      ...[dot(right), dot(up), dot(toward), 1],
    ]);
    // A narrow window sees as much of the tower as a wide one.
    const field = aspect < 0.8 ? 2 * Math.atan(Math.tan(0.33) * (0.8 / aspect)) : 0.66;
    return multiply(perspective(field, aspect, 20, 4000), view);
  }
}
