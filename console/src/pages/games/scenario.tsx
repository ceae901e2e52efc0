// One scenario: its map, story, forces, balance and sources.

import { CatalogService, type Scenario } from "../../api/sengoku";
import { CallFailure } from "../../parts/failure";
import { Loading } from "../../parts/loading";
import { Main } from "../../parts/main";
import { Picture } from "../../parts/picture";
import { useCall } from "../../parts/use-call";
import { Link, type PageProps } from "../../router";
import { ABOUT } from "./about";
import { Balance } from "./balance";

export default function ScenarioPage({ params }: PageProps) {
  const { game = "", id = "" } = params;
  const found = useCall((signal) => CatalogService.getScenario({ game, id }, { signal }), [game, id]);
  const scenario = found.data?.scenario;
  const number = game === "battles" ? `${id}. ` : "";
  return (
    <Main title={scenario?.name ?? "Scenario"}>
      <div class="stack">
        <p class="remark">
          <Link href="/games">Games and scenarios</Link> › {ABOUT[game]?.title ?? game}
        </p>
        <div class="row spread">
          <h1>
            {number}
            {scenario?.name ?? "…"}
          </h1>
          <div class="row">
            <Neighbours game={game} id={id} />
            <Link class="button primary" href={`/play?game=${game}&scenario=${id}`}>
              Play it
            </Link>
          </div>
        </div>
        {found.error !== undefined && <CallFailure error={found.error} retry={found.again} />}
        {found.loading && !found.data && <Loading what="the scenario" />}
        {scenario && (
          <>
            <section class="card map" aria-label="Map">
              <Picture svg={found.data?.svg ?? ""} label={`Map of ${scenario.name}`} />
            </section>
            {(scenario.chapters ?? []).some((chapter) => chapter.heading === "Story") ? (
              <div class="columns">
                <div class="stack">
                  <Chapters scenario={scenario} names={["Story", "Armies"]} />
                </div>
                <div class="stack">
                  <Chapters scenario={scenario} names={["Victory", "Rules of this battle"]} />
                  <Wins scenario={scenario} />
                </div>
              </div>
            ) : (
              <Wins scenario={scenario} />
            )}
            <Facts scenario={scenario} />
            <section class="card stack">
              <h2>Where the data come from</h2>
              <p>{sentence(scenario.source ?? "")}</p>
              {(scenario.chapters ?? [])
                .filter((chapter) => chapter.heading === "Basis")
                .flatMap((chapter) => chapter.paragraphs ?? [])
                .filter((paragraph) => paragraph !== scenario.source)
                .map((paragraph) => (
                  <p key={paragraph}>{sentence(paragraph)}</p>
                ))}
            </section>
          </>
        )}
      </div>
    </Main>
  );
}

function Wins({ scenario }: { scenario: Scenario }) {
  return (
    <section class="card stack" data-game={scenario.game}>
      <h2>Who wins</h2>
      <Balance scenario={scenario} />
    </section>
  );
}

/** Links to the battles before and after. */
function Neighbours({ game, id }: { game: string; id: string }) {
  const number = Number(id);
  if (game !== "battles" || !Number.isInteger(number)) return null;
  return (
    <>
      {number > 1 && (
        <Link class="button" href={`/games/battles/${number - 1}`} aria-label="The battle before">
          ←
        </Link>
      )}
      {number < 40 && (
        <Link class="button" href={`/games/battles/${number + 1}`} aria-label="The next battle">
          →
        </Link>
      )}
    </>
  );
}

function Chapters({ scenario, names }: { scenario: Scenario; names: readonly string[] }) {
  const chapters = (scenario.chapters ?? []).filter((chapter) => names.includes(chapter.heading ?? ""));
  return (
    <>
      {chapters.map(({ heading, paragraphs = [] }) => (
        <section class="card stack" key={heading}>
          <h2>{heading === "Armies" ? "Forces" : heading}</h2>
          {heading === "Story" || paragraphs.length === 1 ? (
            paragraphs.map((paragraph) => <p key={paragraph}>{paragraph}</p>)
          ) : (
            <ul class="plain">
              {paragraphs.map((paragraph) => (
                <li key={paragraph}>{paragraph}</li>
              ))}
            </ul>
          )}
        </section>
      ))}
    </>
  );
}

function Facts({ scenario }: { scenario: Scenario }) {
  const facts = (scenario.facts ?? []).filter((known) => known.value);
  return (
    <section class="card">
      <h2>In short</h2>
      <dl class="facts">
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {facts.some(({ value }) => value?.includes("*")) && (
        <p class="remark">An asterisk marks who moves first; with a question mark that is uncertain.</p>
      )}
    </section>
  );
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
