import { claim, type ClaimInput, type ClaimRow } from "@/db/statements/claim";
import { databaseErrorCode, mapDatabaseError } from "@/db/errors";
import { AppError } from "@/domain/errors";
import type { Answer } from "./answer";
import { answerExisting } from "./answer-existing";
import { bind } from "./bind";
import { claimInput, type FingerprintForm } from "./claim-input";
import type { EngineContext } from "./context";
import { crashPoint } from "./crash-point";
import { executeLocal } from "./execute-local";
import { executeProvider } from "./execute-provider";
import { executeTask } from "./execute-task";
import { inTurn, KEY_QUEUE_WAIT_MS } from "./key-queue";
import { observed, type Told } from "./observe-answer";
import type { BoundOperation, OperationDefinition } from "./operation";
import { inSpan } from "./telemetry";
import { startWait } from "./wait-for-owner";

const LOCK_NOT_AVAILABLE = "55P03";
/** Another first request of this key holds it, and nobody can see yet what it is. */
const NOT_COMMITTED_YET: Answer = {
  outcome: "in_progress",
  operation: undefined,
  mode: "conflict",
  retryAfterSeconds: 1,
};
/** Forms of a fingerprint that one request may meet: its own, the row's, and once more when that row vanished meanwhile. */
const MAX_FORMS = 4;

export interface ExecuteRequest<C> {
  /** The parsed idempotency key, 1–255 visible ASCII. */
  readonly key: string;
  /** The validated command, defaults applied. */
  readonly command: C;
  /** `performance.now()` when the request arrived. */
  readonly receivedAt: number;
  /** How the command was written (member order, notation of the amount), for the conflicts page; never values. */
  readonly shape?: Readonly<Record<string, unknown>>;
  /** A window shorter than the policy's, in seconds. */
  readonly ttlSeconds?: number | undefined;
  /** What the caller is still willing to wait, in milliseconds from `receivedAt`. */
  readonly budgetMs?: number | undefined;
  /** Where what becomes known is put, for logs, metrics and spans. */
  readonly told?: Told;
}

/** The key is known already and nothing was written, or everything was done. */
type Tried =
  { readonly kind: "answer"; readonly answer: Answer } | { readonly kind: "existing"; readonly row: ClaimRow };

/**
 * Runs an operation once per key, or tells what the key already stands for (S1.1, S4.1).
 *
 * @returns what to answer; never throws for a decision about the key
 * @throws AppError `dependency.unavailable` when the database is away: nothing was claimed or the claim is left to recovery
 */
export async function execute<C>(
  ctx: EngineContext,
  unbound: OperationDefinition<C>,
  request: ExecuteRequest<C>,
): Promise<Answer> {
  return observed(ctx, unbound.name, request, (watched) => decide(ctx, unbound, watched));
}

async function decide<C>(
  ctx: EngineContext,
  unbound: OperationDefinition<C>,
  request: ExecuteRequest<C>,
): Promise<Answer> {
  const definition = await bind(ctx, unbound);
  let form: FingerprintForm = { version: ctx.fingerprints.current, apiVersion: definition.apiVersion };
  const wait = startWait(definition.policy, request);
  try {
    for (let forms = 0; forms < MAX_FORMS; forms += 1) {
      const input = await claimInput(ctx, definition, request, form);
      let tried = await attempt(ctx, definition, request, input);
      while (tried.kind === "existing" && tried.row.outcome === "in_progress" && (await wait.again()))
        tried = await attempt(ctx, definition, request, input);
      if (tried.kind === "answer") return tried.answer;
      const { row } = tried;
      if (row.outcome !== "other_fingerprint_version") return await answerExisting(ctx, definition, request, form, row);
      form = { version: row.fingerprint_version ?? form.version, apiVersion: row.api_version ?? form.apiVersion };
    }
    throw new AppError("transient.contention", 503, "The key was used by several versions at once", {
      retryable: true,
      retryAfter: 1,
    });
  } catch (error) {
    // Another first request of this key is not committed yet and we waited long enough (C13).
    const cause = error instanceof AppError ? error.cause : error;
    if (databaseErrorCode(cause) === LOCK_NOT_AVAILABLE) return NOT_COMMITTED_YET;
    throw mapDatabaseError(error);
  } finally {
    wait.end();
  }
}

async function attempt<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  request: ExecuteRequest<C>,
  input: ClaimInput,
): Promise<Tried> {
  crashPoint("C1");
  if (definition.path === "local") {
    const name = JSON.stringify([input.tenantId, input.operation, input.key]);
    const left = (request.budgetMs ?? Infinity) - (performance.now() - request.receivedAt);
    const waitMs = Math.max(0, Math.min(KEY_QUEUE_WAIT_MS, left));
    const tried = await inTurn(ctx.db.pool, name, () => executeLocal(ctx, definition, request, input), waitMs);
    return tried ?? { kind: "answer", answer: NOT_COMMITTED_YET };
  }
  const row = await inSpan("claim", {}, () => claim(ctx.db.pool, input));
  if (request.told !== undefined) request.told.row = row;
  if (row.outcome !== "claimed") return { kind: "existing", row };
  if (definition.path === "task") return { kind: "answer", answer: await executeTask(ctx, definition, request, row) };
  crashPoint("C3");
  return { kind: "answer", answer: await executeProvider(ctx, definition, request, row, input.key) };
}
