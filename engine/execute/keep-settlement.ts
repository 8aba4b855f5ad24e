import { isLater } from "@/domain/soon";
import type { Queryable } from "@/db/client";
import { complete, type CompleteInput, type OutboxMessage } from "@/db/operations/complete";
import type { EventInsert } from "@/db/operations/record-events";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import type { EngineContext } from "../context";
import { sealPayload } from "../outbox/sealed-payload";
import { FencedError } from "./fenced";
import type { Claim, Settlement } from "./operation";
import { inSpan } from "../telemetry/telemetry";
import { schemaVersionOf, type Versions } from "./versions";

/** A larger answer is not kept: its replay names what was made instead. */
export const MAX_STORED_RESPONSE_BYTES = 1_048_576;
/** The only headers of an answer that are kept and repeated; never cookies, dates, traces or credentials. */
const KEPT_HEADERS: ReadonlySet<string> = new Set(["content-type", "content-language", "location", "etag"]);

/** @param name in lower case */
export function isKeptHeader(name: string): boolean {
  return KEPT_HEADERS.has(name);
}

/**
 * Writes the answer of an operation, and what it makes known, in the transaction of its effects. The one place that completes.
 * @param executed the answer of the first caller, when this transaction is what he waits for
 * @throws FencedError when somebody took the operation over: the caller's transaction is undone
 */
export async function keepSettlement(
  ctx: EngineContext,
  tx: Queryable,
  definition: Settled,
  claim: Claim,
  settlement: Settlement,
  executed?: EventInsert,
): Promise<void> {
  const answer = await answerToKeep(ctx, definition, claim, settlement, executed);
  if (!(await inSpan("complete", {}, () => complete(tx, answer)))) throw new FencedError(claim);
}

/** What is asked of the definition of an operation that settles. */
interface Settled {
  readonly schemaVersion: string;
  readonly versions?: Versions;
  readonly policy: { readonly replay: OperationPolicy["replay"] };
}

/** The answer as the database keeps it: sealed, with what it makes known. Writes nothing. */
export async function answerToKeep(
  ctx: EngineContext,
  definition: Settled,
  claim: Claim,
  settlement: Settlement,
  executed?: EventInsert,
): Promise<CompleteInput> {
  const { response, resource } = settlement;
  const replay = replayOf(definition.policy.replay, settlement);
  const { operation, key, operationId } = claim;
  const subject = { tenantId: ctx.tenantId, operation, key, operationId };
  const messages: OutboxMessage[] = [];
  for (const each of settlement.messages ?? []) {
    const payload = sealPayload(ctx, each.id, each.payload);
    const { id, aggregateType, aggregateId, topic, type, headers } = each;
    const sealed = isLater(payload) ? await payload : payload;
    messages.push({ id, aggregateType, aggregateId, topic, type, payload: sealed, headers });
  }
  const sealing = replay === "stored" ? ctx.keyring.seal(response.body, subject, "response") : undefined;
  const bodySealed = isLater(sealing) ? await sealing : sealing;
  return {
    tenantId: ctx.tenantId,
    operationId: claim.operationId,
    fence: claim.fence,
    state: settlement.state,
    status: response.status,
    schemaVersion: schemaVersionOf(definition, claim.apiVersion),
    resourceType: resource?.type,
    resourceId: resource?.id,
    errorCode: settlement.refusal?.code,
    headers: Object.fromEntries(Object.entries(response.headers).filter(([name]) => isKeptHeader(name))),
    bodySealed,
    replay,
    outbox: messages,
    executed,
  };
}

/** A refusal is kept whole whatever the policy: there is no resource to look at instead. */
function replayOf(policy: OperationPolicy["replay"], settlement: Settlement): "stored" | "reference" | "none" {
  if (policy === "reference" && settlement.state === "COMPLETED" && settlement.resource !== undefined)
    return "reference";
  return settlement.response.body.length > MAX_STORED_RESPONSE_BYTES ? "none" : "stored";
}
