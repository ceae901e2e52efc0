// The rules of a game by section. The fragment of the address names a section or a rule.

import { useEffect, useMemo, useRef } from "preact/hooks";
import { Failure } from "../../parts/failure";
import { Loading } from "../../parts/loading";
import { Main } from "../../parts/main";
import { useCall } from "../../parts/use-call";
import { Link, type PageProps, useFragment } from "../../router";
import { ABOUT } from "./about";
import { type Paragraph, RULES, type Section, sectionsOf } from "./rules-text";

export default function RulesPage({ params }: PageProps) {
  const { game = "" } = params;
  const load = RULES[game];
  const title = `Rules of ${ABOUT[game]?.title ?? game}`;
  const text = useCall(async () => (await load?.())?.default, [load]);
  const sections = useMemo(() => sectionsOf(text.data ?? ""), [text.data]);
  return (
    <Main title={title}>
      <div class="stack">
        <p class="remark">
          <Link href="/games">Games and scenarios</Link> › {ABOUT[game]?.title ?? game}
        </p>
        <div class="row spread">
          <h1>{title}</h1>
          <div class="row">
            {Object.keys(RULES)
              .filter((other) => other !== game)
              .map((other) => (
                <Link class="button" key={other} href={`/games/${other}/rules`}>
                  {ABOUT[other]?.title ?? other}
                </Link>
              ))}
          </div>
        </div>
        {!load && (
          <Failure title="There is no such game" what={`The games are ${Object.keys(RULES).join(", ")}.`} />
        )}
        {text.error !== undefined && (
          <Failure
            title="The rules could not be loaded"
            what="The server gave no answer, or has a newer console."
            todo="Reload the page."
          />
        )}
        {load && text.loading && <Loading what="the rules" />}
        {text.data && <Text sections={sections} />}
      </div>
    </Main>
  );
}

function Text({ sections }: { sections: Section[] }) {
  const fragment = useFragment();
  const holder = useRef<HTMLDivElement>(null);
  const [introduction, ...chapters] = sections;
  // The browser looks for the place before the text has been loaded, and knows no rules.
  useEffect(() => {
    const places = [...(holder.current?.querySelectorAll<HTMLElement>("[data-place]") ?? [])];
    places.find((place) => place.dataset.place?.split(" ").includes(fragment))?.scrollIntoView();
  }, [fragment]);
  return (
    <div class="rules" ref={holder}>
      <nav class="card" aria-label="Sections">
        {chapters.map(({ title, name }) => (
          <a key={name} href={`#${name}`} aria-current={name === fragment ? "true" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <div class="stack">
        {introduction?.paragraphs.map((paragraph) => (
          <Words key={paragraph.text} paragraph={paragraph} />
        ))}
        {chapters.map(({ title, name, paragraphs }) => (
          <section class="card" key={name} aria-label={title}>
            <h2 data-place={name}>{title}</h2>
            {paragraphs.map((paragraph) => (
              <Rule key={paragraph.text} paragraph={paragraph} found={paragraph.ids.includes(fragment)} />
            ))}
          </section>
        ))}
        <p class="remark">
          The ids lead to their paragraph. What a rule says in the ledger, and which code and tests state it,
          is printed by <code>sengoku rule</code> with the id.
        </p>
      </div>
    </div>
  );
}

/** A paragraph and the ids of its rules. */
function Rule({ paragraph, found }: { paragraph: Paragraph; found: boolean }) {
  return (
    <div class={found ? "rule found" : "rule"} data-place={paragraph.ids.join(" ")}>
      <Words paragraph={paragraph} />
      <p class="ids">
        {paragraph.ids.map((id) => (
          <a key={id} href={`#${id}`}>
            {id}
          </a>
        ))}
      </p>
    </div>
  );
}

/** The words of a paragraph; what is between backticks is code. */
function Words({ paragraph }: { paragraph: Paragraph }) {
  return (
    <p>{paragraph.text.split("`").map((part, at) => (at % 2 ? <code key={part}>{part}</code> : part))}</p>
  );
}
