import { databaseErrorCode, QUERY_CANCELED } from "@/db/errors";
import { inTransaction } from "@/db/transaction";
import type { Database, Queryable } from "@/db/client";
import { claimMany, type ClaimInput, type ClaimRow } from "@/db/operations/claim";
import { completeMany, type CompleteInput } from "@/db/operations/complete";
import { BATCH_COUNTS_MS, BATCH_LOCK_TIMEOUT_MS, batchPerPool } from "@/db/together/together";
import { AppError } from "@/domain/errors";
import { executedAnswer } from "./answer";
import { eventOfAnswer } from "./answer-event";
import type { EngineContext } from "../context";
import { crashPoint } from "../crash-point";
import type { ExecuteRequest } from "./execute-request";
import { executeLocal, type Attempt } from "./execute-local";
import { answerToKeep } from "./keep-settlement";
import { claimFrom, type BoundLocal, type SharedConnections } from "./operation";

const LOCAL_TOGETHER = { rows: 16, bytes: 262_144, atOnce: 8, countsMs: BATCH_COUNTS_MS, waiting: 1_000 };
/** Longest statement of a shared transaction, ms; a slower one undoes it, and its operation goes alone with the usual limit. */
const STATEMENT_TIMEOUT_MS = 1_000;
/** After one of its requests undid a shared transaction, or time ran out for one, an operation goes alone for so long, ms. */
const ALONE_AFTER_FAILURE_MS = 1_000;

/** A request of any operation that may share; what it is made of is known to its own definition alone. */
interface Member {
  readonly input: ClaimInput;
  /** The same for all members of a pool. */
  readonly over: SharedConnections;
  /** Runs it by itself, in a transaction of its own. */
  readonly alone: () => Promise<Attempt>;
  /** Runs it for its claim in the shared transaction. @throws when it must not share, or has to be undone */
  readonly run: (tx: Queryable, row: ClaimRow) => Promise<Ran>;
}

interface Ran {
  readonly attempt: Attempt;
  readonly kept: CompleteInput;
}

/** By pool and operation: until when it goes alone, by `performance.now()`. */
const aloneUntil = new WeakMap<Database["pool"], Map<string, number>>();

const batches = batchPerPool<Member, Attempt>((pool) => ({
  limits: LOCAL_TOGETHER,
  bytesOf: ({ input }) => input.commandSealed.length,
  groupOf: ({ input }) => input.tenantId,
  keyOf: ({ input }) => JSON.stringify([input.tenantId, input.operation, input.key]),
  one: (member) => member.alone(),
  many: (members) => runTogether(pool, members),
  wasUndone: (error) => !(error instanceof AppError && error.certainty === "indefinite"),
}));

/**
 * As {@link executeLocal}, in one transaction with the requests of the same turn: one statement claims, one keeps the answers, one
 * commit makes all of it stand. One that fails undoes it; then each goes alone, so that none is repeated more than once.
 */
export function executeLocalTogether<C>(
  ctx: EngineContext,
  definition: BoundLocal<C>,
  request: ExecuteRequest<C>,
  input: ClaimInput,
): Promise<Attempt> {
  const alone = (): Promise<Attempt> => executeLocal(ctx, definition, request, input);
  const { transact, sharedOver: over = transact === undefined ? own(ctx.db.pool) : undefined } = definition;
  if (definition.sharesTransaction !== true || over === undefined) return alone();
  const { pool } = over;
  if ((aloneUntil.get(pool)?.get(input.operation) ?? 0) > performance.now()) return alone();
  return batches(pool).submit({
    ...{ input, over, alone },
    async run(tx, row) {
      const claim = claimFrom(definition, input.key, row);
      const settlement = await definition.run(ctx, tx, claim, request.command);
      const { refusal } = settlement;
      if (refusal !== undefined && definition.policy.refusals === "not_binding") throw refusal;
      const answer = executedAnswer(definition, row, settlement);
      const event = eventOfAnswer(ctx, definition, request, row, answer);
      const kept = await answerToKeep(ctx, definition, claim, settlement, event);
      return { attempt: { kind: "answered", row, answer }, kept };
    },
  });
}

/** @throws AppError, indefinite only when nobody knows whether the commit stands */
async function runTogether(pool: Database["pool"], members: readonly Member[]): Promise<Attempt[]> {
  try {
    return await runShared(pool, members);
  } catch (error) {
    // A server that has no time for it has none for the next one either: what is undone and done again would only add to its work.
    if (databaseErrorCode(error instanceof AppError ? error.cause : error) === QUERY_CANCELED)
      for (const member of members) goAlone(pool, member);
    throw error;
  }
}

function runShared(pool: Database["pool"], members: readonly Member[]): Promise<Attempt[]> {
  crashPoint("C4");
  const limits = { retries: 0, lockTimeoutMs: BATCH_LOCK_TIMEOUT_MS, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  return inTransaction(
    { pool },
    async (tx) => {
      const over = members[0]?.over ?? own(pool);
      const ours = over.ours(tx);
      const rows = await claimMany(
        ours,
        members.map(({ input }) => input),
      );
      crashPoint("C3");
      const shared = over.theirs(tx);
      const runs = await Promise.allSettled(members.map((member, index) => runMember(shared, member, rows[index])));
      const done: Ran[] = [];
      const attempts: Attempt[] = [];
      for (const [index, run] of runs.entries()) {
        if (run.status === "rejected") {
          // All members have ended by now: nothing of theirs is still on its way on this connection.
          goAlone(pool, members[index]);
          throw run.reason;
        }
        if (run.value.kept !== undefined) done.push(run.value as Ran);
        attempts.push(run.value.attempt);
      }
      if (done.length > 0)
        await completeMany(
          ours,
          done.map(({ kept }) => kept),
        );
      return attempts;
    },
    limits,
  );
}

function own(pool: Database["pool"]): SharedConnections {
  return { pool, ours: (tx) => tx, theirs: inOrder };
}

/** One statement at a time: members work beside each other on one connection. */
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

async function runMember(
  tx: Queryable,
  member: Member,
  row: ClaimRow | undefined,
): Promise<{ readonly attempt: Attempt; readonly kept?: CompleteInput }> {
  if (row === undefined) throw new Error("claim() returned no row");
  return row.outcome === "claimed" ? member.run(tx, row) : { attempt: { kind: "existing", row } };
}

function goAlone(pool: Database["pool"], member: Member | undefined): void {
  if (member === undefined) return;
  const until = aloneUntil.get(pool) ?? new Map<string, number>();
  aloneUntil.set(pool, until);
  until.set(member.input.operation, performance.now() + ALONE_AFTER_FAILURE_MS);
}
