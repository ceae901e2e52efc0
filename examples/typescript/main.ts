// Asks a server for the odds of a battle, lets it play a long run, watches that and prints what came of it.
//
// The folder generated/ is made from protos/sengoku/v1 by examples/build.py and not kept in the repository.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { credentials, Metadata, type ServiceError } from "@grpc/grpc-js";

import { Operation } from "./generated/google/longrunning/operations.js";
import { ErrorInfo } from "./generated/google/rpc/error_details.js";
import { Status } from "./generated/google/rpc/status.js";
import { EvaluateRequest, type EvaluateResponse, OddsServiceClient } from "./generated/sengoku/v1/odds_service.js";
import {
  RunMatchesRequest,
  RunMetadata,
  runStateToJSON,
  SimulationServiceClient,
  StartRunRequest,
  StartRunResponse,
  type WatchRunResponse,
} from "./generated/sengoku/v1/simulation_service.js";
import { SwordsBattle, SwordsForce, SwordsFort } from "./generated/sengoku/v1/swords.js";

const { values: options } = parseArgs({
  options: {
    server: { type: "string", default: "localhost:50051" },
    matches: { type: "string", default: "5000" },
    "tls-ca": { type: "string" }, // without it nothing is encrypted
  },
});

const transport = options["tls-ca"] ? credentials.createSsl(readFileSync(options["tls-ca"])) : credentials.createInsecure();
const metadata = new Metadata(); // with a token where the server wants one
if (process.env.SENGOKU_TOKEN) metadata.set("authorization", `Bearer ${process.env.SENGOKU_TOKEN}`);
const deadline = () => ({ deadline: Date.now() + 300_000 }); // every call has an end

/** Asks about one battle of swords. */
async function odds(client: OddsServiceClient): Promise<void> {
  const request = EvaluateRequest.fromPartial({
    swordsBattle: SwordsBattle.fromPartial({
      attacker: SwordsForce.fromPartial({ daimyo: 1, bow: 2, gun: 2, sword: 2, spear: 3 }),
      defenders: [SwordsForce.fromPartial({ bow: 1, spear: 4 })],
      fort: SwordsFort.SWORDS_FORT_CASTLE,
    }),
  });
  const answer = await new Promise<EvaluateResponse>((resolve, reject) =>
    client.evaluate(request, metadata, deadline(), (error, value) => (error ? reject(error) : resolve(value))),
  );
  const found = answer.swordsOdds!;
  console.log(
    `attacker wins ${found.attackerWins.toFixed(6)}, defender wins ${found.defenderWins.toFixed(6)} (error ${found.standardError})`,
  );
}

/** Starts a run, watches it to its end, and prints its sums. */
async function bulk(client: SimulationServiceClient, matchCount: bigint): Promise<void> {
  const request = StartRunRequest.fromPartial({
    run: RunMatchesRequest.fromPartial({ game: "tower", seats: 4, bots: ["greedy", "greedy", "random"], seed: 7n, matchCount }),
    requestId: `example-${randomUUID()}`, // the same id gives the same run, however often this is sent
  });
  let operation = await new Promise<Operation>((resolve, reject) =>
    client.startRun(request, metadata, deadline(), (error, value) => (error ? reject(error) : resolve(value))),
  );
  console.log(`started ${operation.name}`);

  const news: AsyncIterable<WatchRunResponse> = client.watchRun({ name: operation.name }, metadata, deadline());
  for await (const answer of news) {
    operation = answer.operation!;
    const run = RunMetadata.decode(operation.metadata!.value);
    const rate = run.matchesPerSecond.toFixed(0);
    console.log(`${runStateToJSON(run.state)}: ${run.matchesDone} of ${run.run!.matchCount} matches, ${rate} a second`);
  }
  if (operation.error) throw new Error(explain(operation.error.message, operation.error));
  if (!operation.response) throw new Error("the server ended the stream before the run was over");
  const summary = StartRunResponse.decode(operation.response.value).summary!;
  summary.wins.forEach((wins, seat) =>
    console.log(`seat ${seat}, ${summary.bots[seat]}: ${wins} of ${summary.matchCount} matches won`),
  );
  console.log(`digest ${summary.digestSum.toString(16).padStart(16, "0")}`);
}

/** Adds the reason that the server gave, which programs go by, to the text for people. */
function explain(message: string, status?: Status): string {
  for (const detail of status?.details ?? []) {
    if (detail.typeUrl.endsWith("/google.rpc.ErrorInfo")) return `${ErrorInfo.decode(detail.value).reason}: ${message}`;
  }
  return message;
}

try {
  await odds(new OddsServiceClient(options.server, transport));
  await bulk(new SimulationServiceClient(options.server, transport), BigInt(options.matches));
} catch (error) {
  const details = (error as ServiceError).metadata?.get("grpc-status-details-bin")[0];
  const status = details instanceof Buffer ? Status.decode(details) : undefined;
  console.error(explain((error as Error).message, status));
  process.exitCode = 1;
}
