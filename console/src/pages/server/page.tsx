// What the server is doing: load, clients, jobs, throughput, limits and health.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { CatalogService, type ClientUse, type GetStatusResponse, PlayerService } from "../../api/sengoku";
import { count, decimal, duration, moment, seconds, short } from "../../charts/format";
import { Sparkline } from "../../charts/sparkline";
import { CallFailure } from "../../parts/failure";
import { stateOf } from "../../parts/job";
import { Loading } from "../../parts/loading";
import { Main } from "../../parts/main";
import { useCall } from "../../parts/use-call";
import { useEvery } from "../../parts/use-every";
import { Link } from "../../router";
import { Fleet } from "./fleet";

const PERIOD = 2000;
const SHOWN = 60;

/** What one look at the server found. */
interface Look {
  at: number;
  calls: number;
  matches: number;
  decisions: number;
}

/** Speeds between two looks, the latest last. */
interface Speeds {
  calls: number[];
  matches: number[];
  decisions: number[];
}

export default function ServerPage() {
  const version = useCall((signal) => CatalogService.getVersion({}, { signal }), []);
  const status = useCall((signal) => CatalogService.getStatus({}, { signal }), []);
  useEvery(
    PERIOD,
    useCallback(() => status.again(), [status.again]),
  );
  const speeds = useSpeeds(status.data);
  const found = status.data;
  return (
    <Main title="Server">
      <div class="stack">
        <h1>Server</h1>
        {status.error !== undefined && <CallFailure error={status.error} retry={status.again} />}
        {found === undefined && status.error === undefined && <Loading what="the state of the server" />}
        {found && (
          <>
            <Health status={found} />
            <div class="tiles">
              <Tile
                name="Matches a second"
                values={speeds.matches}
                note={`${totals(found, "matches")} since the start`}
              />
              <Tile
                name="Decisions a second"
                values={speeds.decisions}
                note={`${totals(found, "decisions")} since the start`}
              />
              <Tile
                name="Calls a second"
                values={speeds.calls}
                note={`${count(found.callsEnded)} ended, ${count(found.callsFailed)} of them failed`}
              />
            </div>
            <div class="pair">
              <Work status={found} />
              <Clients clients={found.clients ?? []} me={found.caller ?? ""} role={found.callerRole ?? ""} />
            </div>
            {found.fleet && (
              <Fleet address={found.fleet} workers={found.fleetWorkers ?? []} role={found.callerRole ?? ""} />
            )}
            <Players />
          </>
        )}
        {version.data && (
          <section class="card">
            <details>
              <summary>
                <h2>Limits</h2>
              </summary>
              <p class="remark">
                What clients may use; each has an option of the command that starts the server.
              </p>
              <dl class="facts">
                {Object.entries(version.data.limits ?? {})
                  .sort(([one], [other]) => one.localeCompare(other))
                  .map(([name, value]) => (
                    <div key={name}>
                      <dt>{name.replaceAll("_", " ")}</dt>
                      <dd>{count(value)}</dd>
                    </div>
                  ))}
              </dl>
            </details>
          </section>
        )}
        {version.data && (
          <section class="card">
            <h2>Build</h2>
            <dl class="facts">
              <Fact name="Version" value={version.data.packageVersion} />
              <Fact name="Build" value={version.data.buildProfile} />
              <Fact name="Instruction set" value={version.data.instructionSet} />
              <Fact name="Threads" value={`${version.data.threads ?? 0}`} />
              {Object.entries(version.data.rulesVersions ?? {}).map(([game, rules]) => (
                <Fact key={game} name={`Rules of ${game}`} value={`version ${rules}`} />
              ))}
            </dl>
            <p class="remark">
              <a href="/metrics">Metrics</a> for Prometheus, <a href="/healthz">health</a> for balancers,{" "}
              <a href="/openapi.json">the interface</a> as OpenAPI.
            </p>
          </section>
        )}
      </div>
    </Main>
  );
}

/** Speeds from the differences of one look to the next. */
function useSpeeds(status: GetStatusResponse | undefined): Speeds {
  const last = useRef<Look | undefined>(undefined);
  const [speeds, setSpeeds] = useState<Speeds>({ calls: [], matches: [], decisions: [] });
  useEffect(() => {
    if (status === undefined) return;
    const sum = (what: "matches" | "decisions") =>
      (status.plays ?? []).reduce((total, play) => total + Number(play[what] ?? 0), 0);
    const now: Look = {
      at: performance.now(),
      calls: Number(status.callsEnded ?? 0),
      matches: sum("matches"),
      decisions: sum("decisions"),
    };
    const before = last.current;
    last.current = now;
    if (before === undefined || now.calls < before.calls) return;
    const passed = Math.max((now.at - before.at) / 1000, 0.1);
    const grown = (old: number[], what: "calls" | "matches" | "decisions") =>
      [...old, Math.max(0, now[what] - before[what]) / passed].slice(-SHOWN);
    setSpeeds((old) => ({
      calls: grown(old.calls, "calls"),
      matches: grown(old.matches, "matches"),
      decisions: grown(old.decisions, "decisions"),
    }));
  }, [status]);
  return speeds;
}

function totals(status: GetStatusResponse, what: "matches" | "decisions"): string {
  return short((status.plays ?? []).reduce((total, play) => total + Number(play[what] ?? 0), 0));
}

function Health({ status }: { status: GetStatusResponse }) {
  const problems = status.problems ?? [];
  const missing = status.missingPackages ?? [];
  const [word, look] = status.stopping
    ? ["stopping", "bad"]
    : problems.length > 0
      ? ["impaired", "bad"]
      : ["serving", "good"];
  return (
    <section class="card stack">
      <div class="row spread">
        <h2>Health</h2>
        <span class={`state ${look}`}>{word}</span>
      </div>
      <p class="remark">
        Up for {duration(seconds(status.uptime) ?? 0)}, since {moment(status.startTime)}.
      </p>
      {problems.length > 0 && (
        <ul class="plain">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {missing.length > 0 && (
        <p>Packages that are not installed: {missing.join(", ")}. What needs them fails and says so.</p>
      )}
    </section>
  );
}

function Tile({ name, values, note }: { name: string; values: number[]; note: string }) {
  const now = values.at(-1);
  return (
    <section class="card tile">
      <h3>{name}</h3>
      <p class="large">{now === undefined ? "…" : now >= 100 ? short(now) : decimal(now, 1)}</p>
      <Sparkline values={values} label={`${name} in the last two minutes`} />
      <p class="remark">{note}</p>
    </section>
  );
}

function Work({ status }: { status: GetStatusResponse }) {
  const jobs = (rows: readonly { state?: string; count?: string }[] | undefined) =>
    (rows ?? []).map((row) => `${count(row.count)} ${stateOf(row.state).toLowerCase()}`).join(", ") || "none";
  return (
    <section class="card">
      <h2>Work</h2>
      <dl class="facts">
        <Fact name="Calls in progress" value={count(status.calls)} />
        <Fact name="Tasks in progress" value={count(status.working)} />
        <Fact name="Tasks in the queue" value={count(status.waiting)} />
        <Fact name="Connections" value={count(status.connections)} />
        <Fact name="Open matches" value={count(status.openMatches)} />
        <Fact name="Environments" value={count(status.environments)} />
        <Fact name="Store" value={`${short(Number(status.storeBytes ?? 0))}B`} />
      </dl>
      <dl class="facts">
        <div>
          <dt>
            <Link href="/runs">Runs</Link>
          </dt>
          <dd>{jobs(status.runs)}</dd>
        </div>
        <div>
          <dt>
            <Link href="/tournaments">Tournaments</Link>
          </dt>
          <dd>{jobs(status.tournaments)}</dd>
        </div>
      </dl>
    </section>
  );
}

const USES = ["calls", "streams", "working", "waiting", "runs", "tournaments"] as const;

function Clients({ clients, me, role }: { clients: ClientUse[]; me: string; role: string }) {
  return (
    <section class="card stack">
      <h2>Clients</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled with the keys */}
      <section class="wide" tabIndex={0} aria-label="Clients">
        <table>
          <thead>
            <tr>
              <th scope="col">Client</th>
              {USES.map((use) => (
                <th scope="col" class="number" key={use}>
                  {use}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {clients.map((client) => (
              <tr key={client.name}>
                <td>
                  {client.name}
                  {client.name === me && " (you)"}
                </td>
                {USES.map((use) => (
                  <td class="number" key={use}>
                    {count(client[use])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="remark">
        {role === "admin" ? "Clients that use nothing are left out." : "Only an admin sees other clients."}{" "}
        Your role is {role}.
      </p>
    </section>
  );
}

/** Custom bots that are connected. */
function Players() {
  const players = useCall((signal) => PlayerService.listPlayers({}, { signal }), []);
  useEvery(
    5000,
    useCallback(() => players.again(), [players.again]),
  );
  const found = players.data?.players ?? [];
  if (players.error !== undefined) return <CallFailure error={players.error} retry={players.again} />;
  return (
    <section class="card stack">
      <h2>Connected players</h2>
      {found.length === 0 ? (
        <p class="remark">
          None. A bot in any language connects with <code>sengoku bot serve</code> and takes part in
          tournaments.
        </p>
      ) : (
        <ul class="plain">
          {found.map((player) => (
            <li key={player.name}>
              <strong>{player.name}</strong>: {(player.games ?? []).join(", ") || "all games"}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
