// The cube tower: throw cubes and watch them fall.

import { lazy, Suspense } from "preact/compat";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type FilmThrowResponse, TowerService } from "../../api/sengoku";
import { CallFailure } from "../../parts/failure";
import { useHashState } from "../../parts/hash-state";
import { Check, Choice, Text } from "../../parts/inputs";
import { Loading } from "../../parts/loading";
import { Main } from "../../parts/main";
import { useCall } from "../../parts/use-call";
import { Link } from "../../router";
import { Cubes } from "../odds/tower";
import { readCounts } from "../odds/words";
import { COLOURS, type Counts, type Film, PAINT, places, readFilm, total } from "./film";
import { Flat } from "./flat";

const Stage = lazy(() => import("./stage"));

const DEFAULTS = { fill: "4", build: "boards", seed: "1", throws: "blue=4,yellow=3", flat: "no" };
const MOST_THROWS = 12;
const SPEEDS = [
  ["1", "real time"],
  ["0.5", "half speed"],
  ["0.25", "a quarter"],
] as const;

const drawable = (() => {
  let known: boolean | undefined;
  return () => {
    known ??= document.createElement("canvas").getContext("webgl2") !== null;
    return known;
  };
})();
const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Throws all cubes of the address, one throw after the other into the same tower, and returns the last one. */
async function thrown(values: typeof DEFAULTS, signal: AbortSignal): Promise<Film> {
  const throws = values.throws.split(";").filter(Boolean).slice(-MOST_THROWS);
  let last: FilmThrowResponse = {};
  for (const [number, cubes] of throws.entries()) {
    const newTower = { model: "rigid", seed: values.seed, parametersJson: JSON.stringify(values.build) };
    const source = number === 0 ? { newTower, fillPlayers: Number(values.fill) } : { data: last.data };
    last = await TowerService.filmThrow({ ...source, cubes: readCounts(cubes, COLOURS) }, { signal });
  }
  return readFilm(last);
}

export default function TowerPage() {
  const [values, change] = useHashState(DEFAULTS);
  const { fill, build, seed, throws } = values;
  const [next, setNext] = useState(throws.split(";").at(-1) ?? "");
  const film = useCall((signal) => thrown(values, signal), [fill, build, seed, throws]);
  const number = throws.split(";").filter(Boolean).length;
  const again = (changes: Partial<typeof DEFAULTS>) => change({ throws: next, ...changes });
  const empty = total(readCounts(next, COLOURS)) === 0;
  return (
    <Main title="The cube tower">
      <div class="stack">
        <h1>The cube tower</h1>
        <p class="remark">
          The tower of <code>tower</code>, simulated cube by cube with its boards and a shake. What decides
          matches and <Link href="/odds#game=tower">odds</Link> is a faster and simpler model.
        </p>
        <div class="columns theatre">
          <section aria-label="The throw">
            {film.error !== undefined && <CallFailure error={film.error} retry={film.again} />}
            {film.data === undefined && film.error === undefined && <Loading what="the throw" />}
            {film.data && (
              <Theatre
                film={film.data}
                flat={values.flat === "yes"}
                onFlat={(on) => change({ flat: on ? "yes" : "no" })}
              />
            )}
          </section>
          <section class="card stack" aria-label="Cubes to throw">
            <Cubes legend="Cubes to throw" text={next} onChange={setNext} />
            <div class="row">
              <button
                type="button"
                class="primary"
                disabled={empty || film.loading || number >= MOST_THROWS}
                onClick={() => change({ throws: `${throws};${next}` })}
              >
                Throw into this tower
              </button>
              <button
                type="button"
                disabled={empty || film.loading}
                onClick={() => again({ seed: `${(Number(seed) % 1_000_000) + 1}` })}
              >
                Throw into a new tower
              </button>
            </div>
            <p class="remark">
              Throw {number} into this tower{number >= MOST_THROWS && ", the last one that this page shows"}.
            </p>
            <div class="fields">
              <Choice
                label="A new tower begins"
                value={fill}
                options={[
                  ["0", "empty"],
                  ["3", "filled for 3 players"],
                  ["4", "filled for 4 players"],
                  ["5", "filled for 5 players"],
                ]}
                onChange={(chosen) => again({ fill: chosen })}
              />
              <Choice
                label="Built with"
                value={build}
                options={[
                  ["boards", "three boards"],
                  ["plates", "two plates with holes"],
                ]}
                onChange={(chosen) => again({ build: chosen })}
              />
              <Text
                label="Seed"
                type="number"
                value={seed}
                onChange={(text) => /^\d{1,18}$/.test(text) && again({ seed: text })}
              />
            </div>
            {film.data && (
              <>
                <Where title="Came out" counts={film.data.tray} />
                <Where title="Is inside" counts={film.data.contents} />
              </>
            )}
          </section>
        </div>
      </div>
    </Main>
  );
}

/** Cubes by colour, as squares and numbers. */
function Where({ title, counts }: { title: string; counts: Counts }) {
  return (
    <div>
      <h3>
        {title}: {total(counts)}
      </h3>
      <ul class="cubes">
        {COLOURS.filter((colour) => counts[colour]).map((colour) => (
          <li key={colour}>
            <span
              class="cube"
              style={{ background: `rgb(${PAINT[colour].map((part) => Math.round(255 * part)).join(" ")})` }}
            />
            {counts[colour]} {colour === "farmer" ? "green" : colour}
          </li>
        ))}
        {total(counts) === 0 && <li>nothing</li>}
      </ul>
    </div>
  );
}

/** A film with its controls. It plays by itself unless the person prefers less motion. */
function Theatre({ film, flat, onFlat }: { film: Film; flat: boolean; onFlat: (flat: boolean) => void }) {
  const [broken, setBroken] = useState(!drawable());
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState("0.5");
  const [shown, setShown] = useState(film.length);
  const time = useRef(film.length);
  const seek = (to: number) => {
    time.current = Math.min(film.length, Math.max(0, to));
    setShown(time.current);
  };
  useEffect(() => {
    seek(still() ? film.length : 0);
    setPlaying(!still());
  }, [film]);
  useEffect(() => {
    if (!playing) return;
    let request = 0;
    let before = performance.now();
    const step = (now: number) => {
      seek(time.current + ((now - before) / 1000) * Number(speed));
      before = now;
      if (time.current >= film.length) setPlaying(false);
      else request = requestAnimationFrame(step);
    };
    request = requestAnimationFrame(step);
    return () => cancelAnimationFrame(request);
  }, [playing, speed, film]);
  const found = useMemo(() => places(film, shown), [film, shown]);
  const label = `The tower at ${shown.toFixed(2)} seconds: ${found.tray} cubes in the tray, ${found.inside} inside.`;
  const play = () => {
    if (!playing && time.current >= film.length) seek(0);
    setPlaying(!playing);
  };
  return (
    <div class="card stack">
      {broken || flat ? (
        <Flat film={film} time={shown} label={label} />
      ) : (
        <Suspense fallback={<Loading what="the picture" />}>
          <Stage
            film={film}
            time={() => time.current}
            moved={shown}
            label={label}
            onBroken={() => setBroken(true)}
          />
        </Suspense>
      )}
      <div class="row player">
        <button type="button" class="primary" onClick={play}>
          {playing ? "Pause" : "Play"}
        </button>
        <input
          type="range"
          aria-label="Time of the throw"
          min={0}
          max={film.length}
          step={0.01}
          value={shown}
          onInput={(event) => {
            setPlaying(false);
            seek(event.currentTarget.valueAsNumber);
          }}
        />
        <output>{shown.toFixed(2)} s</output>
        <select aria-label="Speed" value={speed} onChange={(event) => setSpeed(event.currentTarget.value)}>
          {SPEEDS.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <p class="remark">
        {found.hand > 0 && `${found.hand} in the hand, `}
        {found.inside} inside, {found.tray} in the tray. Cubes with light edges were thrown.{" "}
        {!(broken || flat) && "Drag to turn, pinch or use + and − to come nearer; arrow keys work, too."}
      </p>
      {broken ? (
        <p class="remark">This browser has no WebGL 2, so the tower is shown from the side.</p>
      ) : (
        <Check label="from the side, without 3D" value={flat} onChange={onFlat} />
      )}
    </div>
  );
}
