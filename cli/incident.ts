import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseStartConfig, type Config } from "@/domain/config";
import { ensurePeople } from "../demo/people";
import { incidentOf, type IncidentEntry } from "@/demo/incidents/incidents";
import { createScene } from "@/demo/incidents/scene";
import { runMain } from "./startup/run-main";
import { runStack } from "./startup/run-stack";
import { readKeys } from "@/demo/traffic/api-key";

/** Long enough to read the evidence; shorter than the pause before the worker's own fifth question. */
const DEFAULT_SECONDS = "75";
const MAX_SECONDS = 3_600;
const TENANT = "acme";
const REACH_TIMEOUT_MS = 10_000;

interface Where {
  readonly baseUrl: string;
  readonly sandboxUrl: string;
  readonly keysPath: string;
}

/** Plays one incident into the demo that runs here, or into a stack of its own when none does. */
await runMain(async () => {
  const { values, positionals } = parseArgs({
    options: { for: { type: "string", default: DEFAULT_SECONDS }, keys: { type: "string" } },
    allowPositionals: true,
  });
  const incident = incidentOf(positionals[0]);
  const seconds = Number(values.for);
  if (!(seconds >= 0 && seconds <= MAX_SECONDS))
    throw new Error(`--for must be a number of seconds from 0 to ${String(MAX_SECONDS)}.`);
  const start = parseStartConfig(process.env);
  const here = placeOf(start, values.keys ?? join(start.dataDir, "demo-keys.json"));
  if (await isUp(here.baseUrl)) {
    const stop = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
    await play(incident, here, seconds, stop.signal);
    return;
  }
  process.stdout.write(`Nothing runs on ${here.baseUrl}: a stack of its own is started; Ctrl-C stops it.\n`);
  process.env["WEBHOOK_ALLOW_PRIVATE"] ??= "true";
  await runStack({
    name: "incident",
    logFiles: true,
    spokenOf: [],
    then: async ({ config, say, stopping }) => {
      const people = await ensurePeople(config);
      say(`\n  Onceboard is on ${config.publicUrl}; sign in as`);
      for (const { email, password, role } of people.operators) say(`    ${email}  ${password}  (${role})`);
      say("");
      await play(incident, placeOf(config, people.keysPath), seconds, stopping);
    },
  });
});

function placeOf(config: Pick<Config, "port" | "basePath" | "sandboxPort">, keysPath: string): Where {
  return {
    baseUrl: `http://localhost:${String(config.port)}${config.basePath}`,
    sandboxUrl: `http://127.0.0.1:${String(config.sandboxPort)}`,
    keysPath,
  };
}

async function isUp(baseUrl: string): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/api/health/live`, { signal: AbortSignal.timeout(REACH_TIMEOUT_MS) }).catch(
    () => undefined,
  );
  return answer?.ok === true;
}

async function play({ play: run }: IncidentEntry, where: Where, seconds: number, signal: AbortSignal): Promise<void> {
  const keys = Object.fromEntries(
    readKeys(where.keysPath)
      .filter(({ tenant }) => tenant === TENANT)
      .map(({ name, key }) => [name, key]),
  );
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  await run(createScene({ ...where, keys, seconds, say, signal }));
}
