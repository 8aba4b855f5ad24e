import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { createDatabase } from "@/db/client";
import { freePort } from "@/cli/startup/listen";
import { readCompose } from "./compose";
import { lastOf, readWords, type BuildStage } from "./containerfile";
import { expectEqual, orderTwice } from "./order-twice";
import type { createBuilder, Room, RoomEnvironment } from "./rooms";

const LIMIT_MS = 180_000;
const POLL_MS = 250;

export interface Trial {
  readonly stages: readonly BuildStage[];
  readonly builder: ReturnType<typeof createBuilder>;
  readonly room: Room;
  /** Of an empty PostgreSQL, as a superuser. */
  readonly server: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly say: (line: string) => void;
}

/** What the compose file starts, in its order, and one key twice. @throws Error in one sentence when something is not as it should */
export async function tryImage({ stages, builder, room, server, secrets, say }: Trial): Promise<void> {
  const services = readCompose(readFileSync("deploy/compose.yaml", "utf8"), secrets);
  const { host } = new URL(server);
  await asPostgresImage(server, services["postgres"]?.environment ?? {});
  const entry = readWords(lastOf(stages, "example", "ENTRYPOINT"));
  const health = readWords(lastOf(stages, "example", "HEALTHCHECK"));
  const [port, workerPort] = [String(await freePort()), String(await freePort())];
  const environmentOf = (name: string, more: RoomEnvironment = {}): RoomEnvironment => {
    const moved = Object.entries(services[name]?.environment ?? {}).map(
      ([key, value]) => [key, value.replace("postgres:5432", host).replace(":9464/", `:${workerPort}/`)] as const,
    );
    return { ...Object.fromEntries(moved), PORT: port, PUBLIC_URL: `http://localhost:${port}`, ...more };
  };
  const command = (name: string): readonly string[] => [...entry, ...(services[name]?.command ?? [])];
  const run = (words: readonly string[], env: RoomEnvironment): Promise<Ended> =>
    ended(builder.start(room, words, env));
  const running: ChildProcess[] = [];
  const begin = async (name: string, more: RoomEnvironment = {}): Promise<ChildProcess> => {
    const env = environmentOf(name, more);
    expectEqual(`the health of ${name} before it runs`, (await run(health, env)).code, 1);
    const child = builder.start(room, command(name), env);
    running.push(child);
    await healthy(name, child, () => run(health, env));
    say(`${name} is healthy`);
    return child;
  };
  try {
    const touched = await run(["sh", "-c", "touch /app/x /app/node_modules/onceboard/x; id -u"], {});
    expectEqual("what may be written below /app", /Read-only file system/.test(touched.output), true);
    expectEqual("the user of the image", /^1000$/m.test(touched.output), true);
    const migrated = await run(command("migrate"), environmentOf("migrate"));
    expectEqual(`migrate (${migrated.output})`, migrated.code, 0);
    const serve = await begin("serve");
    const worker = await begin("worker", { WORKER_METRICS_PORT: workerPort });
    const made = await run(
      [...entry, "api-key", "--tenant", "acme", "--name", "shop", "--scopes", "orders"],
      environmentOf("serve"),
    );
    const key = /^(ob_\S+)$/m.exec(made.output)?.[1];
    if (key === undefined) throw new Error(`no API key was made: ${made.output}`);
    await orderTwice(`http://127.0.0.1:${port}`, key);
    for (const child of [worker, serve]) expectEqual("the end of a process that is asked to end", await stop(child), 0);
    // A base path writes a copy of the console, which goes to DATA_DIR.
    await stop(await begin("serve", { BASE_PATH: "/onceboard" }));
  } finally {
    for (const child of running) child.kill("SIGKILL");
  }
}

/** As the image of PostgreSQL begins: its user is a superuser, and owns one empty database. */
async function asPostgresImage(url: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { POSTGRES_USER: user = "", POSTGRES_PASSWORD: password = "", POSTGRES_DB: database = "" } = env;
  const admin = createDatabase({ url, max: 1, role: "owner" });
  await admin.pool.query({ text: `create role ${user} superuser login password '${password}'` });
  await admin.pool.query({ text: `create database ${database} owner ${user}` });
  await admin.close();
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

async function ended(child: ChildProcess): Promise<Ended> {
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const limit = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(limit);
  return { code, output };
}

async function healthy(name: string, child: ChildProcess, ask: () => Promise<Ended>): Promise<void> {
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-4_000)));
  const until = Date.now() + LIMIT_MS;
  while (Date.now() < until && child.exitCode === null) {
    if ((await ask()).code === 0) return;
    await delay(POLL_MS);
  }
  throw new Error(`${name} did not become healthy: ${output}`);
}

async function stop(child: ChildProcess): Promise<number | null> {
  const end = once(child, "close") as Promise<[number | null]>;
  child.kill("SIGTERM");
  return (await end)[0];
}
