// Odds of the three combats: a form, the answer as soon as it is known, and the same question as code.

import { useMemo } from "preact/hooks";
import { type EvaluateRequest, OddsService } from "../../api/sengoku";
import { Distribution } from "../../charts/distribution";
import { count, pointsOfError } from "../../charts/format";
import { Shares } from "../../charts/shares";
import { CallFailure } from "../../parts/failure";
import { useHashState, type Values } from "../../parts/hash-state";
import { Choice, Copies, Text } from "../../parts/inputs";
import { Loading } from "../../parts/loading";
import { Main } from "../../parts/main";
import { useCall } from "../../parts/use-call";
import { useSettled } from "../../parts/use-settled";
import { Link, navigate, useFragment } from "../../router";
import { battles } from "./battles";
import type { Answer, Kind } from "./kinds";
import { swords } from "./swords";
import { tower } from "./tower";
import { shellLines } from "./words";

const KINDS: readonly Kind[] = [swords, tower, battles];
const HOW = { game: "swords", samples: "0", seed: "0" };
const SAMPLES = [
  ["0", "exact if affordable"],
  ["10000", "10,000 samples"],
  ["1000000", "1,000,000 samples"],
] as const;

export default function Odds() {
  const fragment = useFragment();
  const game = new URLSearchParams(fragment).get("game") ?? HOW.game;
  const kind = KINDS.find((known) => known.game === game) ?? swords;
  const defaults = useMemo(() => ({ ...HOW, ...kind.defaults }) as Values, [kind]);
  return <Combat key={kind.game} kind={kind} defaults={defaults} />;
}

function Combat({ kind, defaults }: { kind: Kind; defaults: Values }) {
  const [values, change] = useHashState(defaults);
  const set = (changes: Values) => change({ ...changes, game: kind.game });
  const request = requestOf(kind, values);
  const key = useSettled(JSON.stringify(request));
  const call = useCall(
    (signal) => OddsService.evaluate(JSON.parse(key) as EvaluateRequest, { signal }),
    [key],
  );
  const behind = call.loading || key !== JSON.stringify(request);
  const answer = useMemo(() => call.data && kind.answer(call.data), [call.data, kind]);
  return (
    <Main title={`Odds: ${kind.title}`}>
      <div class="stack">
        <h1>Odds</h1>
        <nav class="tabs" aria-label="Combats">
          {KINDS.map((other) => (
            <button
              type="button"
              key={other.game}
              aria-pressed={other === kind}
              onClick={() => other !== kind && navigate(`/odds#game=${other.game}`)}
            >
              {other.title}
            </button>
          ))}
        </nav>
        <p class="remark">
          {kind.explanation} {kind.game === "tower" && <Link href="/tower">Watch the cubes fall in 3D.</Link>}
        </p>
        <div class="odds">
          <section class="card stack question" aria-label="The question">
            <fieldset>
              <legend class="remark">Examples</legend>
              <div class="tabs">
                {kind.presets.map((preset) => (
                  <button
                    type="button"
                    class="chip"
                    key={preset.name}
                    onClick={() => set({ ...kind.defaults, ...preset.values })}
                  >
                    {preset.name}
                  </button>
                ))}
              </div>
            </fieldset>
            <kind.Form values={values} change={set} />
            <div class="fields">
              <Choice
                label="Method"
                value={values.samples ?? "0"}
                options={SAMPLES}
                onChange={(samples) => set({ samples })}
              />
              {values.samples !== "0" && (
                <Text
                  label="Seed"
                  type="number"
                  value={values.seed ?? "0"}
                  onChange={(text) => set({ seed: text.replace(/\D/g, "") || "0" })}
                />
              )}
            </div>
          </section>
          <section class="stack answer" aria-label="The answer" aria-busy={behind}>
            {call.error !== undefined && <CallFailure error={call.error} title="This has no odds" />}
            {!answer && call.error === undefined && <Loading what="the odds" />}
            {answer && <Result answer={answer} behind={behind} />}
          </section>
          {answer && (
            <section class={behind ? "left pair behind" : "left pair"} aria-label="Distributions">
              {answer.distributions.map((left) => (
                <div class="card" key={left.title}>
                  <Distribution {...left} />
                </div>
              ))}
            </section>
          )}
        </div>
        <section class="card">
          <Copies label="The same question elsewhere" texts={codeOf(kind, values, request)} />
        </section>
      </div>
    </Main>
  );
}

function Result({ answer, behind }: { answer: Answer; behind: boolean }) {
  const spoken = answer.shares.map((share) => `${share.label} ${Math.round(100 * share.value)} %`).join(", ");
  return (
    <div class={behind ? "card stack behind" : "card stack"}>
      <div class="row spread">
        <h2>{answer.heading}</h2>
        <span class="badge">
          {answer.samples > 0 ? `${count(answer.samples)} samples, ${pointsOfError(answer.error)}` : "exact"}
        </span>
      </div>
      <Shares label={answer.heading} shares={answer.shares} digits={2} />
      {answer.remarks.map((remark) => (
        <p class="remark" key={remark}>
          {remark}
        </p>
      ))}
      {answer.samples > 0 && (
        <p class="remark">Lines are 95 % intervals; the error named is the largest standard error.</p>
      )}
      <p class="hidden" role="status">
        {behind ? "" : spoken}
      </p>
    </div>
  );
}

function requestOf(kind: Kind, values: Values): EvaluateRequest {
  const samples = Number(values.samples ?? 0);
  const options =
    samples > 0
      ? { method: "ODDS_METHOD_SAMPLED" as const, samples: `${samples}`, seed: values.seed }
      : { maxError: kind.game === "tower" ? 1e-3 : 1e-4, seed: values.seed };
  return { ...kind.request(values), options };
}

function codeOf(kind: Kind, values: Values, request: EvaluateRequest): Record<string, string> {
  const samples = Number(values.samples ?? 0);
  const how =
    samples > 0
      ? `sample(${samples.toLocaleString("en").replaceAll(",", "_")}, seed=${values.seed})`
      : "odds()";
  const body = JSON.stringify(request, (_, value) => (isEmpty(value) ? undefined : value), 2);
  return {
    Python: `from sengoku import ${kind.game}\n\nquestion = ${kind.python(values)}\nprint(question.${how})\n`,
    curl: `curl -s ${location.origin}/sengoku.v1.OddsService/Evaluate \\\n  -H 'Content-Type: application/json' -d '${body}'\n`,
    Command: `${shellLines(`sengoku odds ${kind.game}`, [
      ...kind.options(values),
      samples > 0 && `--samples ${samples}`,
      samples > 0 && `--seed ${values.seed}`,
    ])}\n`,
  };
}

/** Whether a value is a default, which JSON leaves out. */
function isEmpty(value: unknown): boolean {
  return value === 0 || value === "" || value === false || (Array.isArray(value) && value.length === 0);
}
