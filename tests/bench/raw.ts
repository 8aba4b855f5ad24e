import { execFile, spawnSync } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createDatabase } from "@/db/client";
import { UUIDS } from "@/domain/uuid";
import { summary, type Measured } from "./load";
import type { Recorded } from "./recording";

/** Every text in a recorded value that must be another one in each run carries this mark, or is a UUID. */
export const MARK = "zz-mark-zz";

const MAX_SEED = 9_000_000_000_000_000;
/** As far as randomInt() goes. */
const MAX_RANDOM = 2 ** 48 - 1;
const MAX_ERROR = 600;
const run = promisify(execFile);

export interface RawOptions {
  readonly url: string;
  readonly statements: readonly Recorded[];
  readonly connections: number;
  readonly durationMs: number;
  /** UUIDs that stay what they are, e.g. the operation of a key that is replayed. */
  readonly fixed: readonly string[];
}

/** @returns the path of pgbench when it is installed. */
export function findPgbench(): string | undefined {
  if (spawnSync("pgbench", ["--version"]).status === 0) return "pgbench";
  const base = "/usr/lib/postgresql";
  if (!existsSync(base)) return undefined;
  return readdirSync(base)
    .map((version) => join(base, version, "bin", "pgbench"))
    .find((path) => existsSync(path));
}

/** Runs recorded statements with nothing around them: the rate that the database alone gives. */
export async function measureRaw(options: RawOptions, pgbench: string | undefined): Promise<Measured> {
  return pgbench === undefined ? loop(options) : bench(options, pgbench);
}

async function bench(options: RawOptions, pgbench: string): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), "onceboard-pgbench-"));
  try {
    const file = join(directory, "case.sql");
    const random = `\\set n random(1, ${String(MAX_SEED)})`;
    await writeFile(file, [random, ...statementsOf(options).map((statement) => `${statement};`), ""].join("\n"));
    const url = new URL(options.url);
    const args = {
      "-M": "prepared",
      "-f": file,
      "-c": String(options.connections),
      "-j": "1",
      "-T": String(Math.max(1, Math.round(options.durationMs / 1_000))),
      "--random-seed": String(randomBytes(3).readUIntBE(0, 3)),
      "-h": url.hostname,
      "-p": url.port,
      "-U": url.username,
    };
    const { stdout } = await run(pgbench, ["-n", ...Object.entries(args).flat(), url.pathname.slice(1)], {
      env: { ...process.env, PGPASSWORD: decodeURIComponent(url.password) },
    }).catch((error: unknown) => {
      throw new Error(`pgbench failed: ${(error as { stderr?: string }).stderr?.slice(0, MAX_ERROR) ?? String(error)}`);
    });
    const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
    const latency = Number(/latency average = ([\d.]+)/.exec(stdout)?.[1]);
    const count = Number(/actually processed: (\d+)/.exec(stdout)?.[1]);
    if (!(perSecond > 0)) throw new Error(`pgbench printed: ${stdout}`);
    return { perSecond, count, p50: latency, p99: NaN };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The statements of one run, in which UUIDs and marked texts depend on the number `:n`. */
function statementsOf({ statements, fixed }: RawOptions): string[] {
  return statements.map(({ text, values, types }) => {
    const filled = text.replaceAll(/\$(\d+)/g, (_, index: string) => {
      const position = Number(index) - 1;
      const type = types?.[position];
      const value = literal(values[position], fixed);
      return type === undefined ? value : `(${value})::${type}`;
    });
    return filled.replaceAll(/\s+/g, " ");
  });
}

function literal(value: unknown, fixed: readonly string[]): string {
  if (value === undefined || value === null) return "null";
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (Buffer.isBuffer(value)) return `'\\x${value.toString("hex")}'::bytea`;
  const text = value instanceof Date ? value.toISOString() : typeof value === "string" ? value : JSON.stringify(value);
  const uuids = [...new Set(text.match(UUIDS) ?? [])].filter((uuid) => !fixed.includes(uuid));
  // A variable is written `:n`; a colon inside a literal must not become one.
  const quoted = `'${text.replaceAll("'", "''")}'`.replaceAll(/:(?=[A-Za-z_])/g, ":'||'");
  let expression = quoted.includes("'||'") ? `(${quoted})` : quoted;
  for (const uuid of uuids) {
    const random = `md5('${uuid}'||(:n)::text)::uuid`;
    if (text === uuid) return random;
    expression = `replace(${expression},'${uuid}',(${random})::text)`;
  }
  return text.includes(MARK) ? `replace(${expression},'${MARK}','z'||(:n)::text)` : expression;
}

/** Without pgbench: the same statements in a loop over as many connections, with Node's driver as part of the price. */
async function loop(options: RawOptions): Promise<Measured> {
  const db = createDatabase({ url: options.url, max: options.connections });
  const statements = statementsOf(options).map((statement, index) => ({
    name: `raw_${String(index)}`,
    text: statement.replaceAll("(:n)", "($1::bigint)"),
  }));
  const latencies: number[] = [];
  const begin = performance.now();
  const end = begin + options.durationMs;
  const worker = async (): Promise<void> => {
    const client = await db.pool.connect();
    try {
      while (performance.now() < end) {
        const start = performance.now();
        const number = randomInt(MAX_RANDOM);
        for (const { name, text } of statements) {
          await client.query({ name, text, ...(text.includes("$1") && { values: [number] }) });
        }
        latencies.push(performance.now() - start);
      }
    } finally {
      client.release();
    }
  };
  try {
    await Promise.all(Array.from({ length: options.connections }, worker));
  } finally {
    await db.close();
  }
  return summary(latencies, (performance.now() - begin) / 1_000);
}
