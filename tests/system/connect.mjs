// Calls a server with the official client of the Connect protocol, in every form it has, and prints what came back.

import { readFileSync } from "node:fs";
import { createFileRegistry, fromBinary, toJson } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { ConnectError, createClient } from "@connectrpc/connect";
import { compressionGzip, createConnectTransport } from "@connectrpc/connect-node";

const [baseUrl, token, descriptors] = process.argv.slice(2);
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(descriptors)));
const of = (name) => registry.getService(`sengoku.v1.${name}`);
const signed = (next) => (request) => {
  request.header.set("authorization", `Bearer ${token}`);
  return next(request);
};
const battle = {
  question: { case: "swordsBattle", value: { attacker: { spear: 3 }, defenders: [{ spear: 2 }] } },
};
const matches = { game: "swords", seats: 2, bots: ["random"], matchCount: 20n };

/** What an error says. */
async function failure(work) {
  try {
    await work();
  } catch (error) {
    const failed = ConnectError.from(error);
    const [info] = failed.findDetails(registry.getMessage("google.rpc.ErrorInfo"));
    return { code: failed.code, reason: info?.reason ?? "", domain: info?.domain ?? "" };
  }
  return {};
}

async function all(useBinaryFormat, useHttpGet, compressed) {
  const options = { baseUrl, httpVersion: "1.1", useBinaryFormat, useHttpGet, jsonOptions: { registry } };
  if (compressed) {
    Object.assign(options, { sendCompression: compressionGzip, compressMinBytes: 1, readMaxBytes: 1 << 26 });
  }
  const transport = createConnectTransport({ ...options, interceptors: [signed] });
  const odds = createClient(of("OddsService"), transport);
  const simulation = createClient(of("SimulationService"), transport);
  const found = {};
  let id = "";
  const answer = await odds.evaluate(battle, {
    headers: { "x-request-id": "from-node" },
    onHeader: (headers) => {
      id = headers.get("x-request-id");
    },
  });
  found.id = id;
  found.wins = answer.answer.value.attackerWins;
  found.games = (await createClient(of("CatalogService"), transport).listGames({})).games.map((game) => game.id);
  const run = await simulation.startRun({ run: matches });
  let last;
  for await (const seen of simulation.watchRun({ name: run.name })) last = seen;
  found.done = toJson(of("SimulationService").method.watchRun.output, last, { registry }).operation.metadata.matchesDone;
  found.invalid = await failure(() => odds.evaluate({}));
  found.missing = await failure(async () => {
    for await (const _ of simulation.watchRun({ name: "operations/none" }));
  });
  found.late = await failure(() =>
    simulation.runMatches({ ...matches, matchCount: 1_000_000n }, { timeoutMs: 200 }),
  );
  const stranger = createClient(of("OddsService"), createConnectTransport(options));
  found.stranger = await failure(() => stranger.evaluate(battle));
  return found;
}

const results = [];
for (const binary of [true, false])
  for (const get of [true, false]) for (const gzip of [true, false]) results.push(await all(binary, get, gzip));
console.log(JSON.stringify(results));
