import { isLater } from "@/domain/soon";
import { timeLeftMs } from "@/db/deadline";
import { claimTogether, type ClaimInput, type ClaimRow } from "@/db/operations/claim";
import { databaseErrorCode, mapDatabaseError } from "@/db/errors";
import { AppError } from "@/domain/errors";
import { answerStatus, type ExecuteAnswer } from "./answer";
import { answerExisting } from "./answer-existing";
import { bind } from "./bind";
import { claimInput, type FingerprintForm } from "./claim-input";
import type { EngineContext } from "../context";
import { crashPoint } from "../crash-point";
import type { Attempt } from "./execute-local";
import { executeLocalTogether } from "./together/execute-local-together";
import { executeProvider } from "./execute-provider";
import { executeTask } from "./execute-task";
import type { ExecuteRequest } from "./execute-request";
import { inTurn, KEY_QUEUE_WAIT_MS } from "./key-queue";
import { observeAnswer, type Observation } from "../telemetry/observe-answer";
import type { BoundOperation, OperationDefinition } from "./operation";
import { refuseConflict } from "./refuse-conflict";
import { inSpan } from "../telemetry/telemetry";
import { startWait } from "./wait-for-owner";
import type { RequestTrace } from "@/engine/telemetry/observe-answer";

const LOCK_NOT_AVAILABLE = "55P03";
/** Another first request of this key holds it, and nobody can see yet what it is. */
const NOT_COMMITTED_YET: ExecuteAnswer = {
  outcome: "in_progress",
  operation: undefined,
  mode: "conflict",
  retryAfterSeconds: 1,
};
/** Forms of a fingerprint that one request may meet: its own, the row's, and once more when that row vanished meanwhile. */
const MAX_FORMS = 4;

/**
 * Runs an operation once per key, or says what the key already stands for.
 * @returns what to answer; never throws for a decision about the key
 * @throws AppError `dependency.unavailable` when the database is away: nothing was claimed or the claim is left to recovery
 */
export async function execute<C>(
  ctx: EngineContext,
  definition: OperationDefinition<C>,
  request: ExecuteRequest<C>,
): Promise<ExecuteAnswer> {
  return executeBound(ctx, await bind(ctx, definition), request);
}

/** The same for a caller who needs the policy too: the request is validated, executed and answered by this one. */
export function executeBound<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  request: ExecuteRequest<C>,
): Promise<ExecuteAnswer> {
  return observeAnswer(ctx, definition.name, request, () => decide(ctx, definition, request));
}

async function decide<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  request: ExecuteRequest<C>,
): Promise<Observation> {
  const { apiVersion = definition.apiVersion } = request;
  let form: FingerprintForm = { version: ctx.fingerprints.current, apiVersion };
  let trace: RequestTrace = {};
  const answered = (answer: ExecuteAnswer): Observation => {
    const { status, code } = answerStatus(answer, definition.policy);
    return { kind: "answered", trace: { fingerprint: trace.fingerprint, row: trace.row, status, code }, answer };
  };
  const wait = startWait(definition.policy, request);
  try {
    for (let forms = 0; forms < MAX_FORMS; forms += 1) {
      const claiming = claimInput(ctx, definition, request, form);
      const input = isLater(claiming) ? await claiming : claiming;
      let tried: Attempt;
      do {
        tried = await attempt(ctx, definition, request, input);
        trace = { fingerprint: input.fingerprint, row: tried.row ?? trace.row };
      } while (tried.kind === "existing" && tried.row.outcome === "in_progress" && (await wait.again()));
      if (tried.kind === "failed") throw tried.error;
      if (tried.kind === "answered") return answered(tried.answer);
      const { row } = tried;
      if (row.outcome === "conflict")
        return answered(await refuseConflict(ctx, definition, request, form, row, input.fingerprint));
      if (row.outcome !== "other_fingerprint_version") {
        const answer = answerExisting(ctx, definition, request, row);
        return answered(isLater(answer) ? await answer : answer);
      }
      form = { version: row.fingerprint_version ?? form.version, apiVersion: row.api_version ?? form.apiVersion };
    }
    throw new AppError("transient.contention", 503, "The key was used by several versions at once", {
      retryable: true,
      retryAfter: 1,
    });
  } catch (error) {
    // Another first request of this key is not committed yet and we waited long enough. The work of a transaction that has its
    // claim waited for something else; of the provider path the claim stands, and a rival holds it.
    const waitedForClaim = definition.path === "provider" || trace.row?.outcome !== "claimed";
    const cause = error instanceof AppError ? error.cause : error;
    if (waitedForClaim && databaseErrorCode(cause) === LOCK_NOT_AVAILABLE) return answered(NOT_COMMITTED_YET);
    return { kind: "failed", trace, error: mapDatabaseError(error) };
  } finally {
    wait.end();
  }
}

async function attempt<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  request: ExecuteRequest<C>,
  input: ClaimInput,
): Promise<Attempt> {
  let row: ClaimRow | undefined;
  try {
    crashPoint("C1");
    if (definition.path === "local") {
      const name = JSON.stringify([input.tenantId, input.operation, input.key]);
      const waitMs = Math.max(0, Math.min(KEY_QUEUE_WAIT_MS, timeLeftMs()));
      const tried = await inTurn(
        ctx.db.pool,
        name,
        () => executeLocalTogether(ctx, definition, request, input),
        waitMs,
      );
      return tried ?? { kind: "answered", row, answer: NOT_COMMITTED_YET };
    }
    row = await inSpan("claim", {}, () => claimTogether(ctx.db, input));
    if (row.outcome !== "claimed") return { kind: "existing", row };
    if (definition.path === "task")
      return { kind: "answered", row, answer: await executeTask(ctx, definition, request, row) };
    crashPoint("C3");
    return { kind: "answered", row, answer: await executeProvider(ctx, definition, request, row) };
  } catch (error) {
    return { kind: "failed", row, error };
  }
}
