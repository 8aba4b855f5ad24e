import type { Database, Queryable } from "@/db/client";
import { databaseErrorCode, QUERY_CANCELED } from "@/db/errors";
import { claimMany, type ClaimInput, type ClaimRow } from "@/db/operations/claim";
import { completeMany, type CompleteInput } from "@/db/operations/complete";
import { prepareProviderMany, type PrepareProviderInput } from "@/db/provider/provider-calls";
import { BATCH_COUNTS_MS, BATCH_LOCK_TIMEOUT_MS, batchPerPool } from "@/db/together/together";
import { inTransaction } from "@/db/transaction";
import { AppError } from "@/domain/errors";
import { crashPoint } from "../../crash-point";
import type { SharedConnections } from "../operation";

const TOGETHER = { rows: 16, bytes: 262_144, atOnce: 8, countsMs: BATCH_COUNTS_MS, waiting: 1_000 };
/** Longest statement of a shared transaction, ms; a slower one undoes it, and its operation goes alone with the usual limit. */
const STATEMENT_TIMEOUT_MS = 1_000;
/** After one of its requests undid a shared transaction, or time ran out for one, an operation goes alone for so long, ms. */
const ALONE_AFTER_FAILURE_MS = 1_000;

/** What one request does in a transaction that it may share; what it is made of is known to its own definition alone. */
export interface TransactionPart<Result> {
  readonly tenantId: string;
  /** Name of the operation. */
  readonly operation: string;
  /** Parts of one name are never under way at once. */
  readonly name: string;
  /** About what it sends. */
  readonly bytes: number;
  /** The same for all parts of a pool. */
  readonly over: SharedConnections;
  /** A key that is claimed first; the same for all parts with the same connections. */
  readonly claim?: ClaimInput | undefined;
  /** Runs it by itself, in a transaction of its own. */
  readonly alone: () => Promise<Result>;
  /** Runs it in the shared transaction. @param row of its claim, if it has one @throws when it must not share, or has to be undone */
  readonly run: (tx: Queryable, row: ClaimRow | undefined) => Promise<Ran<Result>>;
}

export interface Ran<Result> {
  readonly result: Result;
  /** What the engine writes for it at the end of the transaction, with that of the others. */
  readonly prepared?: PrepareProviderInput | undefined;
  readonly kept?: CompleteInput | undefined;
}

type AnyPart = TransactionPart<unknown>;

/** By pool and operation: until when it goes alone, by `performance.now()`. */
const aloneUntil = new WeakMap<Database["pool"], Map<string, number>>();

const batches = batchPerPool<AnyPart, unknown>((pool) => ({
  limits: TOGETHER,
  bytesOf: ({ bytes }) => bytes,
  groupOf: ({ tenantId }) => tenantId,
  keyOf: ({ name }) => name,
  one: (part) => part.alone(),
  many: (parts) => runTogether(pool, parts),
  wasUndone: (error) => !(error instanceof AppError && error.certainty === "indefinite"),
}));

/**
 * Runs a part in one transaction with those of the same turn: one statement claims, one prepares calls of providers, one keeps answers, one
 * commit makes all of it stand. One that fails undoes it; then each goes alone, so that none is repeated more than once.
 */
export function shareIfHere<Result>(part: TransactionPart<Result>): Promise<Result> {
  const { pool } = part.over;
  if ((aloneUntil.get(pool)?.get(part.operation) ?? 0) > performance.now()) return part.alone();
  return batches(pool).submit(part) as Promise<Result>;
}

/** Connections of the engine's own pool. */
export function ownConnections(pool: Database["pool"]): SharedConnections {
  return { pool, ours: (tx) => tx, theirs: inOrder };
}

/** @throws AppError, indefinite only when nobody knows whether the commit stands */
async function runTogether(pool: Database["pool"], parts: readonly AnyPart[]): Promise<unknown[]> {
  try {
    return await runShared(pool, parts);
  } catch (error) {
    // A server that has no time for it has none for the next one either: what is undone and done again would only add to its work.
    if (databaseErrorCode(error instanceof AppError ? error.cause : error) === QUERY_CANCELED)
      for (const part of parts) goAlone(pool, part);
    throw error;
  }
}

function runShared(pool: Database["pool"], parts: readonly AnyPart[]): Promise<unknown[]> {
  const claims = parts.some(({ claim }) => claim !== undefined);
  if (claims) crashPoint("C4");
  const limits = { retries: 0, lockTimeoutMs: BATCH_LOCK_TIMEOUT_MS, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  return inTransaction(
    { pool },
    async (tx) => {
      const over = parts[0]?.over ?? ownConnections(pool);
      const ours = over.ours(tx);
      const rows = await claimAll(ours, parts);
      if (claims) crashPoint("C3");
      const shared = over.theirs(tx);
      const runs = await Promise.allSettled(parts.map((part) => part.run(shared, rows.get(part))));
      const done: Ran<unknown>[] = [];
      for (const [index, run] of runs.entries()) {
        if (run.status === "rejected") {
          // All parts have ended by now: nothing of theirs is still on its way on this connection.
          goAlone(pool, parts[index]);
          throw run.reason;
        }
        done.push(run.value);
      }
      const prepared = done.flatMap((ran) => ran.prepared ?? []);
      // Whoever lost its fence finds out by itself, and its neighbours do theirs again.
      if (prepared.length > 0 && !(await prepareProviderMany(ours, prepared)))
        throw new Error("one of the operations is not ours any more");
      const kept = done.flatMap((ran) => ran.kept ?? []);
      if (kept.length > 0) await completeMany(ours, kept);
      return done.map(({ result }) => result);
    },
    limits,
  );
}

async function claimAll(tx: Queryable, parts: readonly AnyPart[]): Promise<ReadonlyMap<AnyPart, ClaimRow>> {
  const claiming = parts.flatMap((part) => (part.claim === undefined ? [] : [{ part, claim: part.claim }]));
  if (claiming.length === 0) return new Map();
  const rows = await claimMany(
    tx,
    claiming.map(({ claim }) => claim),
  );
  return new Map(
    claiming.map(({ part }, index) => {
      const row = rows[index];
      if (row === undefined) throw new Error("claim() returned no row");
      return [part, row];
    }),
  );
}

/** One statement at a time: parts work beside each other on one connection. */
function inOrder(tx: Queryable): Queryable {
  let last: Promise<unknown> = Promise.resolve();
  return {
    query<R>(config: Parameters<Queryable["query"]>[0]) {
      const next = last.then(() => tx.query<R>(config));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

function goAlone(pool: Database["pool"], part: AnyPart | undefined): void {
  if (part === undefined) return;
  const until = aloneUntil.get(pool) ?? new Map<string, number>();
  aloneUntil.set(pool, until);
  until.set(part.operation, performance.now() + ALONE_AFTER_FAILURE_MS);
}
