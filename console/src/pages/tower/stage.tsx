// The picture of a film in three dimensions, with a camera that mouse, fingers and keys move.

import { useEffect, useRef } from "preact/hooks";
import type { Film } from "./film";
import { Scene } from "./scene";
import { Camera } from "./view";

interface Props {
  film: Film;
  /** The moment to show, read at every frame. */
  time: () => number;
  /** Changes when the picture has to be drawn although nothing moves. */
  moved: number;
  label: string;
  onBroken: () => void;
}

const KEYS: Record<string, readonly [number, number, number]> = {
  ArrowLeft: [-0.12, 0, 1],
  ArrowRight: [0.12, 0, 1],
  ArrowUp: [0, 0.1, 1],
  ArrowDown: [0, -0.1, 1],
  "+": [0, 0, 0.88],
  "=": [0, 0, 0.88],
  "-": [0, 0, 1.14],
};

export default function Stage({ film, time, moved, label, onBroken }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const camera = useRef(new Camera());
  const scene = useRef<Scene | null>(null);
  const redraw = useRef(() => {});
  useEffect(() => {
    const at = canvas.current;
    if (at === null) return;
    try {
      scene.current = new Scene(at);
    } catch {
      onBroken();
      return;
    }
    redraw.current = () => scene.current?.draw(time(), camera.current);
    const sized = new ResizeObserver(() => redraw.current());
    sized.observe(at);
    const lost = () => onBroken();
    at.addEventListener("webglcontextlost", lost);
    return () => {
      at.removeEventListener("webglcontextlost", lost);
      sized.disconnect();
      scene.current?.close();
      scene.current = null;
    };
  }, []);
  useEffect(() => {
    scene.current?.show(film);
    redraw.current();
  }, [film]);
  useEffect(() => redraw.current(), [moved]);
  useEffect(() => {
    const at = canvas.current;
    if (at === null) return;
    const stop = gestures(at, (azimuth, elevation, zoom) => {
      camera.current.turn(azimuth, elevation, zoom);
      redraw.current();
    });
    return stop;
  }, []);
  const key = (event: KeyboardEvent) => {
    const step = KEYS[event.key];
    if (event.key === "Home") camera.current.reset();
    else if (step) camera.current.turn(...step);
    else return;
    event.preventDefault();
    redraw.current();
  };
  return <canvas ref={canvas} class="stage" tabIndex={0} role="img" aria-label={label} onKeyDown={key} />;
}

/** Turns the picture by dragging, and comes nearer by the wheel and two fingers; returns how to end that. */
function gestures(
  at: HTMLCanvasElement,
  turn: (azimuth: number, elevation: number, zoom: number) => void,
): () => void {
  const fingers = new Map<number, { x: number; y: number }>();
  const apart = () => {
    const [one, other] = [...fingers.values()];
    return one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0;
  };
  const down = (event: PointerEvent) => {
    at.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const move = (event: PointerEvent) => {
    const before = fingers.get(event.pointerId);
    if (before === undefined) return;
    const gap = apart();
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size > 1) turn(0, 0, gap > 0 && apart() > 0 ? gap / apart() : 1);
    else turn((before.x - event.clientX) * 0.008, (event.clientY - before.y) * 0.006, 1);
  };
  const up = (event: PointerEvent) => fingers.delete(event.pointerId);
  const wheel = (event: WheelEvent) => {
    // The page scrolls as usual unless the person has turned to the picture.
    if (document.activeElement !== at && !event.ctrlKey) return;
    event.preventDefault();
    turn(0, 0, Math.exp(event.deltaY * 0.001));
  };
  const stop = new AbortController();
  const options = { signal: stop.signal };
  at.addEventListener("pointerdown", down, options);
  at.addEventListener("pointermove", move, options);
  at.addEventListener("pointerup", up, options);
  at.addEventListener("pointercancel", up, options);
  at.addEventListener("wheel", wheel, { passive: false, signal: stop.signal });
  return () => stop.abort();
}
