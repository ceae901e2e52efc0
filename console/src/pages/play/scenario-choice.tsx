import { CatalogService, type Scenario } from "../../api/sengoku";
import { CallFailure } from "../../parts/failure";
import { Loading } from "../../parts/loading";
import { Picture } from "../../parts/picture";
import { useCall } from "../../parts/use-call";
import { navigate } from "../../router";

interface Props {
  game: string;
  scenarios: Scenario[];
  chosen: Scenario;
}

/** A list of scenarios, and the board of the chosen one. */
export function ScenarioChoice({ game, scenarios, chosen }: Props) {
  const shown = useCall(
    (signal) => CatalogService.getScenario({ game, id: chosen.id }, { signal }),
    [game, chosen.id],
  );
  const label = (scenario: Scenario) => {
    const year = scenario.facts?.find((fact) => fact.name === "year")?.value;
    return [game === "battles" && `${scenario.id}.`, scenario.name, year && `(${year})`]
      .filter(Boolean)
      .join(" ");
  };
  return (
    <section class="card stack">
      <label class="field">
        {game === "battles" ? "Battle" : "Board"}
        <select
          name="scenario"
          value={chosen.id}
          onChange={(event) =>
            navigate(`/play?game=${game}&scenario=${encodeURIComponent(event.currentTarget.value)}`, {
              replace: true,
            })
          }
        >
          {scenarios.map((scenario) => (
            <option key={scenario.id} value={scenario.id}>
              {label(scenario)}
            </option>
          ))}
        </select>
      </label>
      {shown.error !== undefined && <CallFailure error={shown.error} retry={shown.again} />}
      {shown.data ? (
        <Picture svg={shown.data.svg ?? ""} label={label(chosen)} />
      ) : (
        <Loading what="the board" />
      )}
    </section>
  );
}
