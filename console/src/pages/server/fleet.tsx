import type { FleetWorker } from "../../api/sengoku";
import { count, duration, short } from "../../charts/format";

interface Props {
  /** Address of the cluster. */
  address: string;
  workers: readonly FleetWorker[];
  /** Role of the person. */
  role: string;
}

const LOOKS: Record<string, string> = { ready: "good", draining: "soft" };

/** The workers of the cluster that does heavy work for the server. */
export function Fleet({ address, workers, role }: Props) {
  return (
    <section class="card stack">
      <h2>Workers</h2>
      <p class="remark">
        Heavy work is done by the cluster <code>{address}</code>.
        {role !== "admin" && " Only an admin sees its workers."}
        {role === "admin" && workers.length === 0 && " It has no worker at the moment."}
      </p>
      {workers.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled with the keys
        <section class="wide" tabIndex={0} aria-label="Workers">
          <table>
            <thead>
              <tr>
                <th scope="col">Worker</th>
                <th scope="col">State</th>
                <th scope="col" class="number">
                  Threads
                </th>
                <th scope="col" class="number">
                  A second
                </th>
                <th scope="col" class="number">
                  Since it joined
                </th>
                <th scope="col" class="number">
                  Ranges
                </th>
                <th scope="col" class="number">
                  Last heard
                </th>
                <th scope="col">Build</th>
              </tr>
            </thead>
            <tbody>
              {workers.map((worker) => (
                <tr key={`${worker.name}/${worker.node}`}>
                  <td>{worker.name || worker.node?.slice(0, 8)}</td>
                  <td>
                    <span class={`state ${LOOKS[worker.state ?? ""] ?? "bad"}`}>{worker.state}</span>
                    {worker.why && ` ${worker.why}`}
                    {Number(worker.disagreements ?? 0) > 0 && ` ${count(worker.disagreements)} disagreements`}
                  </td>
                  <td class="number">{worker.threads ?? 0}</td>
                  <td class="number">{short(worker.unitsPerSecond ?? 0)}</td>
                  <td class="number">{short(Number(worker.units ?? 0))}</td>
                  <td class="number">{count(worker.rangesInFlight)}</td>
                  <td class="number">{duration(worker.secondsSinceHeard ?? 0)} ago</td>
                  <td>{worker.build}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <p class="remark">Matches, or rows of odds, are what is counted.</p>
    </section>
  );
}
