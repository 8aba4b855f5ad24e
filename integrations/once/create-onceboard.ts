import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { Database } from "@/db/client";
import { mapDatabaseError } from "@/db/errors";
import { poolBeside } from "@/db/pool-beside";
import { AppError } from "@/domain/errors";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import type { Soon } from "@/domain/soon";
import { createEngineBase } from "@/engine/base";
import type { KeyStore } from "@/engine/bodies/key-store";
import { createAwsKeyStore } from "@/engine/bodies/key-stores/aws-kms";
import { createFileKeyStore } from "@/engine/bodies/key-stores/file";
import { createGcpKeyStore } from "@/engine/bodies/key-stores/gcp-kms";
import { createPostgresKeyStore } from "@/engine/bodies/key-stores/postgres";
import { createVaultKeyStore } from "@/engine/bodies/key-stores/vault";
import type { VaultOptions } from "@/engine/bodies/key-stores/vault-transit";
import type { EngineContext } from "@/engine/context";
import type { EngineConfig } from "@/engine/engine-config";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import { bind } from "@/engine/execute/bind";
import { SHORTEST_WINDOW_SECONDS } from "@/engine/execute/claim-input";
import { executeBound } from "@/engine/execute/execute";
import type { Settlement, Subject } from "@/engine/execute/operation";
import { createLog } from "@/engine/telemetry/log";
import { pgTransactions, type PgClient } from "../transactions/pg";
import { beginBy, joinTo, type Transactions } from "../transactions/transactions";
import { definitionOf, registeredKind, type OnceKind, type Work, type WorkTrace } from "./definition";
import { onceResult, type OnceResult } from "./once-result";
import { UsageError } from "../usage-error";

/** What `pg.Pool` and its own subclasses offer. */
export type PgPool = Database["pool"];

export interface OnceboardOptions {
  /** The service's own pool. Its login has `onceboard_service` or `onceboard_app` beside its own rights. */
  readonly pool: PgPool;
  /** Name of the service: owner of its kinds, and in the name on leases. */
  readonly service: string;
  /** SECRET and ENCRYPTION_KEYS of the deployment, so that the console can show and compare what is kept. */
  readonly secret: string;
  readonly encryptionKeys: string;
  /** KEY_STORE of the deployment and what is beside it: all who open and seal bodies need the same. `env` when left out. */
  readonly keyStore?: OnceKeyStore | undefined;
  /** Registered at the first use, or by `register()`. */
  readonly kinds?: readonly OnceKind[] | undefined;
  /** As in the environment of the deployment; its defaults where nothing is said. */
  readonly config?: Partial<EngineConfig> | undefined;
  /** Of lines on standard error; `warn` by default. */
  readonly logLevel?: string | undefined;
}

export type OnceKeyStore =
  | { readonly kind: "file"; readonly directory: string }
  | { readonly kind: "postgres"; readonly url: string }
  /** `name` as KEY_STORE_NAME has it. */
  | { readonly kind: "aws-kms"; readonly name: string }
  | { readonly kind: "gcp-kms"; readonly name: string }
  | ({ readonly kind: "vault" } & VaultOptions);

export interface OnceRequest {
  readonly tenant: string;
  /** `orders.place` */
  readonly operation: string;
  /** 1 to 255 visible characters of ASCII. */
  readonly key: string;
  /** What is asked for, validated and with its defaults: another command under the same key is a conflict. */
  readonly command: object;
  /** Who asks; a key belongs to its principal. */
  readonly principal: string;
  /** What lists and the attention queue show of it. */
  readonly subject?: Subject | undefined;
  /** A window shorter than the policy's. */
  readonly ttlSeconds?: number | undefined;
  readonly requestId?: string | undefined;
  /** W3C `traceparent`, kept with the messages. */
  readonly traceparent?: string | undefined;
}

/** A request whose key and command are read by the policy that decides it too; the subject is asked for after both. */
export interface DecidedRequest extends Omit<OnceRequest, "key" | "command" | "subject"> {
  readonly key: (policy: OperationPolicy) => string;
  readonly command: (policy: OperationPolicy) => object;
  readonly subject: () => Subject;
}

/** The decision about one request, as wire profiles render it. */
export interface Decided {
  readonly answer: ExecuteAnswer;
  readonly policy: OperationPolicy;
  /** The work refused without binding the key: nothing is kept of it. */
  readonly unbound?: Settlement | undefined;
}

export type Onceboard<Tx> = ReturnType<typeof onceboardOver<Tx>>;

const KEY = /^(?=.*\S)[\x20-\x7e]{1,255}$/;
const INSTANCE_BYTES = 2;
/** As `parseConfig` has them. */
const DEFAULTS: EngineConfig = {
  leaseSeconds: 30,
  idempotencyTtlHours: 24,
  bodyTtlHours: 72,
  metadataTtlDays: 90,
  providerTimeoutMs: 10_000,
};

/**
 * The engine in a process that is not ours, over the process's own connections.
 *
 * @param options.transactions of drizzle, Kysely or Prisma; those of `pg` on the pool when left out
 */
export function createOnceboard(options: OnceboardOptions): Onceboard<PgClient>;
export function createOnceboard<Tx>(options: OnceboardOptions & { transactions: Transactions<Tx> }): Onceboard<Tx>;
export function createOnceboard<Tx>(
  options: OnceboardOptions & { transactions?: Transactions<Tx> },
): Onceboard<Tx> | Onceboard<PgClient> {
  const { transactions } = options;
  return transactions === undefined
    ? onceboardOver(options, pgTransactions(options.pool))
    : onceboardOver(options, transactions);
}

function onceboardOver<Tx>(options: OnceboardOptions, transactions: Transactions<Tx>) {
  const { service, secret, encryptionKeys, kinds = [], config, logLevel = "warn" } = options;
  const instance = `${service}-${String(process.pid)}-${randomBytes(INSTANCE_BYTES).toString("hex")}`;
  const keyStore = keyStoreOf(options.keyStore);
  const base = createEngineBase({
    db: databaseBeside(options.pool),
    instance,
    config: { ...DEFAULTS, ...config },
    encryptionKeys,
    keyStore,
    secret,
    log: createLog(logLevel, { process: service, instance }, { secret }),
    kinds: kinds.map((kind) => registeredKind(service, kind)),
  });
  const kindOf = new Map(kinds.map((kind) => [kind.name, kind]));
  const begin = beginBy(transactions);

  function contextOf(request: DecidedRequest): EngineContext {
    const { tenant: tenantId, principal, requestId = uuidv7(), traceparent } = request;
    const actor = { kind: "client", id: principal, name: principal, scopes: [] } as const;
    const log = base.log.child({ requestId });
    return { ...base, tenantId, actor, requestId, traceparent, log };
  }

  async function decide(request: DecidedRequest, work: Work<Tx>, within?: Tx): Promise<Decided> {
    const receivedAt = performance.now();
    checkRequest(request);
    await beforeClaim(base.kinds.register());
    const { operation, command, subject } = request;
    const ttlSeconds = request.ttlSeconds === undefined ? undefined : Math.floor(request.ttlSeconds);
    const ctx = contextOf(request);
    const trace: WorkTrace = {};
    const place =
      within === undefined
        ? { transact: begin, sharedOver: transactions.shared }
        : { transact: joinTo(transactions, within), sharedOver: undefined };
    const kind = kindOf.get(operation) ?? { name: operation, label: operation };
    const definition = await beforeClaim(bind(ctx, definitionOf(kind, { work, ...place, subject, trace })));
    const { policy } = definition;
    const key = checked(request.key(policy));
    try {
      const input = { key, command: command(policy), receivedAt, ttlSeconds };
      return { policy, answer: await executeBound(ctx, definition, input) };
    } catch (error) {
      if (trace.thrown !== undefined) throw trace.thrown.error;
      const { settled } = trace;
      if (settled?.refusal === undefined || settled.refusal !== error) throw error;
      return { policy, answer: { outcome: "refused", operation: undefined, error: settled.refusal }, unbound: settled };
    }
  }
  return {
    /**
     * Runs `work` once per key: its rows, its messages and its answer are one commit with the key. A key that is known runs nothing.
     *
     * @param options.within a transaction of the caller's own that is open: it is the caller's to commit. What was executed in it counts
     *   once it is.
     * @throws what `work` throws, once everything is taken back; AppError when the database is away
     */
    async once(
      request: OnceRequest,
      work: Work<Tx>,
      { within }: { readonly within?: Tx | undefined } = {},
    ): Promise<OnceResult> {
      const { key, command, subject = {} } = request;
      const decided = { ...request, key: () => key, command: () => command, subject: () => subject };
      const { answer, unbound } = await decide(decided, work, within);
      if (unbound?.refusal === undefined) return onceResult(answer);
      return { outcome: "refused", code: unbound.refusal.code, response: unbound.response };
    },
    /** As `once`, with the decision as wire profiles render it: for middlewares. */
    decide,
    /** Registers the kinds now. @throws DatabaseError 42710 when another owner registered one of the names */
    register: (): Promise<void> => base.kinds.register(),
    /** Writes what waits in memory and gives back the connections beside the pool. The pool stays open. */
    close: async (): Promise<void> => {
      await Promise.all([base.answers.close(), base.refusals.close()]);
      await keyStore?.close();
      await base.db.close();
    },
  };
}

function keyStoreOf(given: OnceKeyStore | undefined): KeyStore | undefined {
  switch (given?.kind) {
    case "file":
      return createFileKeyStore(given.directory);
    case "postgres":
      return createPostgresKeyStore(given.url);
    case "aws-kms":
      return createAwsKeyStore(given.name);
    case "gcp-kms":
      return createGcpKeyStore(given.name);
    case "vault":
      return createVaultKeyStore(given);
    case undefined:
      return undefined;
  }
}

/**
 * What the engine reads and writes outside the caller's transactions (data keys, policies, events), over connections of its own beside the
 * caller's pool.
 */
function databaseBeside(pool: PgPool): Database {
  const beside = poolBeside(pool) as PgPool;
  let closing: Promise<void> | undefined;
  return {
    pool: beside,
    get orm(): never {
      throw new Error("drizzle works on pools of our own only");
    },
    close: () => (closing ??= beside.end()),
  };
}

/** Nothing is claimed yet, so a database that is away had no effect for sure. */
async function beforeClaim<T>(step: Soon<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    throw mapDatabaseError(error, { certainty: "definite" });
  }
}

/** @throws UsageError for what comes from JavaScript, or from a sign-in that found nobody */
function checkRequest({ tenant, principal, ttlSeconds = SHORTEST_WINDOW_SECONDS }: DecidedRequest): void {
  const named: unknown[] = [tenant, principal];
  if (named.some((name) => typeof name !== "string" || name === ""))
    throw new UsageError("request.value", "A request names its tenant and its principal, each by a text.");
  if (!(ttlSeconds > 0)) throw new UsageError("request.value", "The window of a key is a number of seconds above 0.");
}

function checked(key: unknown): string {
  if (typeof key === "string" && KEY.test(key)) return key;
  throw new AppError("idempotency.key_invalid", 400, "The idempotency key is not usable", {
    detail: "A key is 1 to 255 visible characters of ASCII. Nothing was recorded.",
  });
}
