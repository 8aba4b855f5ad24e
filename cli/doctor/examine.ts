import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createDatabase, type Queryable } from "@/db/client";
import { readiness } from "@/db/readiness";
import { selectBrokenChains, selectSinks } from "@/db/audit/checkpoints";
import { operatingFacts } from "@/db/health/operating-facts";
import { MIN_POSTGRES, serverFacts } from "@/db/health/server-facts";
import { readMigrations } from "@/db/migrations/migration-files";
import { newestMigration, requireSchema } from "@/db/migrations/require-schema";
import { isElsewhere } from "@/db/restore/restored";
import { readAuditKeys } from "@/engine/audit/audit-keys";
import { OWNER_NOTE } from "@/engine/guard-note";
import { parseStartConfig, type Environment, type StartConfig } from "@/domain/config";
import type { KeyStore } from "@/engine/bodies/key-store";
import { openKeyStore } from "@/engine/bodies/key-stores/open";
import { PACKAGE_ROOT, typed } from "../startup/installation";
import { ensurePortFree } from "../startup/listen";
import { reachDatabase } from "../startup/reach-database";
import { examineAttachHosts, examineAttachment } from "./attachment";
import { examineBrokers } from "./brokers";
import { messageOf, note, ok, wrong, type Diagnosis } from "./diagnosis";
import { examineReplica } from "./replica";
import { examineBackups, examineBloat, examineCheckpoints, examinePartitions } from "./operating";

/** Signatures and sessions carry times of both clocks; leases go by the database's alone. */
const MAX_CLOCK_DIFFERENCE_MS = 5_000;
const ANSWER_LIMIT_MS = 2_000;

export interface ExamineOptions {
  /** File of the newest backup. */
  readonly backup?: string | undefined;
}

/** What `onceboard doctor` says, in order. It changes nothing, and says nothing secret. */
export async function examine(env: Environment, { backup }: ExamineOptions = {}): Promise<readonly Diagnosis[]> {
  const node = examineNode(process.versions.node);
  let start: StartConfig;
  try {
    start = parseStartConfig(env);
  } catch (error) {
    return [node, wrong(messageOf(error))];
  }
  return [
    node,
    ...examineSecrets(start),
    examineAuditKey(start),
    ...(await examineDatabase(start, backup)),
    ...(await examineReplica(start)),
    await examineKeyStore(start),
    ...(await examineBrokers(start)),
    ...(await examineAttachment(env)),
    await examinePort(start),
  ];
}

/** @param version of Node, such as `22.12.0` */
export function examineNode(version: string): Diagnosis {
  const { engines } = JSON.parse(readFileSync(join(PACKAGE_ROOT, "package.json"), "utf8")) as {
    engines: { node: string };
  };
  return satisfies(version, engines.node)
    ? ok(`Node ${version}`)
    : wrong(`Node ${version} is not supported: it must be ${engines.node}`);
}

/** Of ranges `^1.2.3` and `>=1`, joined by `||`: what our own engines are written in. */
function satisfies(version: string, ranges: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return ranges.split("||").some((range) => {
    const [, sign, wantedMajor, wantedMinor = "0"] = /^\s*(\^|>=)(\d+)(?:\.(\d+))?/.exec(range) ?? [];
    if (sign === undefined) return false;
    if (major === Number(wantedMajor)) return minor >= Number(wantedMinor);
    return sign === ">=" && major > Number(wantedMajor);
  });
}

function examineSecrets({ secret, encryptionKeys }: StartConfig): Diagnosis[] {
  const present = (name: string, value: string | undefined): Diagnosis =>
    value === undefined ? wrong(`${name} is missing`) : ok(`${name} is set`);
  return [present("SECRET", secret), present("ENCRYPTION_KEYS", encryptionKeys)];
}

function examineAuditKey(start: StartConfig): Diagnosis {
  try {
    const { key } = readAuditKeys(start);
    if (key === undefined) return note("No key signs the audit: who owns the database can rewrite it unseen");
    return start.auditSinks.length === 0
      ? note(`The audit is signed by key ${key.id}, and AUDIT_SINKS names no place for its checkpoints`)
      : ok(`The audit is signed by key ${key.id}`);
  } catch (error) {
    return wrong(messageOf(error));
  }
}

async function examineAudit(db: Queryable): Promise<Diagnosis[]> {
  const broken = await selectBrokenChains(db);
  const failing = (await selectSinks(db)).filter(({ failingSince }) => failingSince !== null);
  return [
    ...broken.map(({ chain, at, reason }) => wrong(`The audit chain ${chain} is broken at #${String(at)}: ${reason}`)),
    ...failing.map(({ name, error, behind }) =>
      wrong(`Checkpoints do not reach ${name} (${error ?? "no reason"}): ${String(behind)} wait for it`),
    ),
  ];
}

async function examineDatabase(start: StartConfig, backup: string | undefined): Promise<Diagnosis[]> {
  const { databaseUrl: url } = start;
  if (url === undefined) return [wrong("DATABASE_URL is missing: only start brings a database of its own")];
  try {
    await reachDatabase(url);
  } catch (error) {
    return [wrong(messageOf(error))];
  }
  const db = createDatabase({ url, max: 1, applicationName: "onceboard doctor" });
  try {
    return [...(await examineServer(db.pool)), ...(await examineSchema(db.pool, start, backup))];
  } catch (error) {
    return [wrong(`The database did not answer: ${messageOf(error)}`)];
  } finally {
    await db.close();
  }
}

async function examineServer(db: Queryable): Promise<Diagnosis[]> {
  const { version, supported, clockAheadMs } = await serverFacts(db);
  const apart = (Math.abs(clockAheadMs) / 1_000).toFixed(1);
  return [
    supported
      ? ok(`PostgreSQL ${version}`)
      : wrong(`PostgreSQL ${version} is too old: it must be ${String(MIN_POSTGRES)} or newer`),
    Math.abs(clockAheadMs) <= MAX_CLOCK_DIFFERENCE_MS
      ? ok(`The clocks of this machine and of the database are ${apart} s apart`)
      : wrong(`The clocks of this machine and of the database are ${apart} s apart: set both by NTP`),
  ];
}

async function examineSchema(db: Queryable, start: StartConfig, backup: string | undefined): Promise<Diagnosis[]> {
  const { migrations, guard, owner, worker } = await readiness(db);
  if (!migrations) return [wrong(`The database is older than this version: run ${typed("migrate")}`)];
  const facts = await operatingFacts(db);
  const signed = start.auditKey !== undefined || start.auditKeyFile !== undefined;
  return [
    await examineVersion(db),
    await examinePlace(db),
    guard
      ? ok("The database refuses direct writes to the state machine")
      : wrong("The database does not guard the state machine: this user cannot take the role onceboard_app"),
    ...(await examineAudit(db)),
    owner ? note(OWNER_NOTE) : ok("The login of the processes owns nothing"),
    worker ? ok("A worker is running") : note(`No worker is running: ${typed("worker")} starts one`),
    examinePartitions(facts),
    ...examineBloat(facts),
    ...examineCheckpoints(facts, signed),
    ...examineBackups(facts, backup),
    ...(await examineAttachHosts(db, start)),
  ];
}

/** Tables and functions; a database that is newer than the code is one in the midst of an upgrade. */
async function examineVersion(db: Queryable): Promise<Diagnosis> {
  const code = readMigrations().at(-1);
  try {
    await requireSchema(db);
  } catch (error) {
    return wrong(messageOf(error));
  }
  const newest = await newestMigration(db);
  return code !== undefined && newest > code.when
    ? note(`The database is newer than this version, which ends at ${code.tag} (docs/runbooks/upgrade.md)`)
    : ok(`The database is at this version, ${code?.tag ?? "no migration"}`);
}

async function examinePlace(db: Queryable): Promise<Diagnosis> {
  return (await isElsewhere(db))
    ? wrong(
        `This database was copied or restored from a backup: read docs/runbooks/restore.md, then run ${typed("restored")}`,
      )
    : ok("The database is no copy of another that it knows of");
}

async function examineKeyStore(config: StartConfig): Promise<Diagnosis> {
  let store: KeyStore | undefined;
  try {
    store = openKeyStore({ ...config, keyStore: config.keyStore ?? "env" });
    if (store === undefined)
      return note("There is no key store: a backup with ENCRYPTION_KEYS opens bodies that were purged after it");
    return ok(`The key store answers: ${await store.id()}`);
  } catch (error) {
    return wrong(`The key store does not work: ${messageOf(error instanceof Error ? (error.cause ?? error) : error)}`);
  } finally {
    await store?.close();
  }
}

async function examinePort({ port, basePath, listenHost: host }: StartConfig): Promise<Diagnosis> {
  try {
    await ensurePortFree({ port, host });
    return ok(`Port ${String(port)} is free`);
  } catch (error) {
    return (await isOurs(host ?? "localhost", port, basePath))
      ? ok(`Onceboard answers on port ${String(port)}`)
      : wrong(messageOf(error));
  }
}

async function isOurs(host: string, port: number, basePath: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
    const answer = await fetch(
      `http://${host.includes(":") ? `[${host}]` : host}:${String(port)}${basePath}/api/health/live`,
      { signal },
    );
    const body: unknown = await answer.json();
    return typeof body === "object" && body !== null && "status" in body && body.status === "live";
  } catch {
    return false;
  }
}
