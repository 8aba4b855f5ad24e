import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "@/db/client";
import { complete } from "@/db/operations/complete";
import { insertLedgerEntry } from "@/tests/support/payment-rows";
import { settlePayment } from "@/tests/support/payment-rows";
import { insertRefund, settleRefund } from "@/tests/support/payment-rows";
import { answerProvider, markSent, prepareProvider } from "@/db/provider/provider-calls";
import {
  answered,
  claimOperation,
  type FactoryEnvironment,
  type MadeOperation,
} from "@/db/testing/factories/made-operation";
import { messageFactory } from "@/db/testing/factories/message-factory";
import { markUnknown } from "@/db/operations/transitions";
import { inTransaction } from "@/db/transaction";
import { audit } from "@/engine/actions/audit";
import type { Desk } from "./read-desk";

/** What may become of a key that asks for a payment. */
export const KEY_FATES = [
  "charged",
  "charged_expired",
  "charged_conflict",
  "charged_not_posted",
  "charged_not_settled",
  "charged_twice",
  "declined",
  "refused_duplicate",
  "may_retry",
  "in_progress",
  "stale",
  "unknown",
  "hand_charged",
  "hand_charged_confirmed",
  "hand_refused",
  "hand_refused_declined",
  "hand_refused_contradicted",
  "hand_refused_charged",
] as const;
export type KeyFate = (typeof KEY_FATES)[number];

/** What may become of a key that asks for a refund of a charge. */
export const REFUND_FATES = ["refunded", "refunded_not_posted", "unknown", "refused", "hand_refunded"] as const;
export type RefundFate = (typeof REFUND_FATES)[number];

interface ReferenceOptions {
  readonly reference: string;
  readonly account: string;
  readonly amountMinor: bigint;
  readonly currency: string;
}

/** Rows under a reference in every state that its keys may be in, by the database's own functions. */
export function referenceMaker(desk: Desk) {
  const ctx = desk.context();
  const env: FactoryEnvironment = { q: ctx.db.pool, tenantId: "acme" };
  const messages = messageFactory(env);

  async function decide(operationId: string, decision: "succeeded" | "failed"): Promise<void> {
    await inTransaction(ctx.db, (tx) =>
      audit(ctx, tx, {
        action: "operations.resolve",
        subject: { type: "operation", id: operationId },
        reason: "seen in the provider's own records",
        evidence: { decision, evidence: ["document"] },
      }),
    );
  }
  async function settleByHand(made: MadeOperation, decision: "succeeded" | "failed"): Promise<void> {
    await settlePayment(env.q, "acme", made.operationId, decision, undefined);
    await finish(env, made, decision === "succeeded" ? [201] : [402, "payment.declined"]);
    await decide(made.operationId, decision);
  }
  const lookedUp = (operationId: string, key: string, outcome: string, reference: string | null): Promise<unknown> =>
    desk.rows(
      `insert into onceboard.provider_requests (tenant_id, id, operation_id, provider_key, provider, kind, state, fence, outcome, provider_reference, sent_at, answered_at)
       values ('acme', $1, $2, $3, 'sandbox', 'lookup', 'answered', 1, $4, $5, now(), now())`,
      uuidv7(),
      operationId,
      key,
      outcome,
      reference,
    );

  async function key(fate: KeyFate, options: ReferenceOptions): Promise<MadeOperation> {
    const { make } = desk;
    switch (fate) {
      case "charged":
        return make.completed({ ...options, replays: 2 });
      case "charged_expired":
        return make.expired(options);
      case "charged_conflict":
        return make.withConflict({ ...options, otherMinor: 98_765_432_101n });
      case "charged_not_posted":
        return make.outboxPending(options);
      case "charged_not_settled": {
        const made = await make.inProgress(options);
        await lookedUp(made.operationId, made.providerKey, "succeeded", `np_${made.paymentId.slice(-8)}`);
        return made;
      }
      case "charged_twice": {
        const made = await make.completed(options);
        await lookedUp(made.operationId, `${made.providerKey}_2`, "succeeded", `np_again_${made.paymentId.slice(-8)}`);
        return made;
      }
      case "declined":
        return make.failedReplayable(options);
      case "refused_duplicate": {
        const made = await claimOperation(env, options);
        await finish(env, made, [409, "payment.duplicate_reference"]);
        await answered(env, made, "executed", { status: 409, code: "payment.duplicate_reference" });
        return made;
      }
      case "may_retry":
        return make.failedRetryable(options);
      case "in_progress":
        return make.inProgress(options);
      case "stale":
        return make.stale(options);
      case "unknown":
        return make.unknown(options);
      case "hand_charged":
      case "hand_charged_confirmed": {
        const made = await make.unknown({
          ...options,
          ...(fate !== "hand_charged" && { webhook: "succeeded" as const }),
        });
        await settleByHand(made, "succeeded");
        return made;
      }
      default: {
        const made = await make.unknown({
          ...options,
          ...(fate === "hand_refused_contradicted" && { webhook: "succeeded" as const }),
        });
        await settleByHand(made, "failed");
        if (fate === "hand_refused_declined") await lookedUp(made.operationId, made.providerKey, "declined", null);
        if (fate === "hand_refused_charged") await lookedUp(made.operationId, made.providerKey, "succeeded", "np_late");
        return made;
      }
    }
  }

  /** @param of a payment that succeeded */
  async function refund(fate: RefundFate, of: MadeOperation, amountMinor: bigint): Promise<MadeOperation> {
    const { account, currency, paymentId } = of;
    const made = await claimOperation(env, {
      operation: "refunds.create",
      reference: paymentId,
      account,
      currency,
      amountMinor,
    });
    if (fate === "refused") {
      await finish(env, made, [422, "refund.exceeds_remaining"]);
      return made;
    }
    const callId = await sendRefund(env, made, paymentId);
    const { operationId, fence } = made;
    if (fate === "unknown" || fate === "hand_refunded") {
      await markUnknown(env.q, {
        tenantId: "acme",
        operationId,
        fence,
        checked: false,
        nextCheckMs: 60_000,
        errorCode: "dependency.timeout",
        finding: undefined,
      });
      if (fate === "unknown") return made;
    } else
      await answerProvider(env.q, {
        tenantId: "acme",
        requestId: callId,
        outcome: "succeeded",
        reference: `rf_${operationId.slice(-8)}`,
        detail: undefined,
      });
    await settleRefund(env.q, "acme", operationId, "succeeded", undefined);
    await finish(env, made, [201]);
    if (fate === "hand_refunded") await decide(operationId, "succeeded");
    if (fate === "refunded") await post(env.q, made, made.paymentId);
    return made;
  }

  const webhook = (made: MadeOperation, says: "succeeded" | "declined") => messages.webhook(made, says);
  return { key, refund, webhook };
}

async function sendRefund(env: FactoryEnvironment, made: MadeOperation, paymentId: string): Promise<string> {
  const { q, tenantId } = env;
  const { operationId, fence, amountMinor, currency } = made;
  const id = uuidv7();
  const providerKey = `provider_refund_${made.paymentId}`;
  await insertRefund(q, {
    tenantId,
    id: made.paymentId,
    operationId,
    paymentId,
    amountMinor,
    currency,
    reason: null,
    providerKey,
  });
  await prepareProvider(q, {
    tenantId,
    operationId,
    fence,
    id,
    providerKey,
    provider: "sandbox",
    kind: "refund",
    amountMinor,
    currency,
  });
  await markSent(q, tenantId, operationId, fence, id);
  return id;
}

async function finish(
  env: FactoryEnvironment,
  made: MadeOperation,
  [status, errorCode]: readonly [number, string?],
): Promise<void> {
  const { operationId, fence, paymentId } = made;
  await complete(env.q, {
    tenantId: env.tenantId,
    operationId,
    fence,
    state: status < 400 ? "COMPLETED" : "FAILED_REPLAYABLE",
    status,
    schemaVersion: "1",
    resourceType: "payment",
    resourceId: paymentId,
    errorCode,
    replay: "stored",
    headers: {},
    bodySealed: Buffer.from("{}"),
  });
}

async function post(q: Queryable, made: MadeOperation, sourceId: string): Promise<void> {
  const { operationId, amountMinor, currency, account } = made;
  await insertLedgerEntry(q, {
    tenantId: "acme",
    id: uuidv7(),
    entryType: "refund",
    sourceId,
    operationId,
    debitAccount: "merchant:acme",
    creditAccount: `customer:${account}`,
    amountMinor,
    currency,
  });
}
