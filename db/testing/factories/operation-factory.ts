import { v7 as uuidv7 } from "uuid";
import { answerProvider, markSent, prepareProvider } from "@/db/provider/provider-calls";
import { complete } from "@/db/operations/complete";
import { failRetryable, markUnknown } from "@/db/operations/transitions";
import { insertLedgerEntry } from "@/tests/support/payment-rows";
import { deletePendingPayment, insertPayment, settlePayment } from "@/tests/support/payment-rows";
import { formatAmount } from "@/domain/money";
import {
  answered,
  claimOperation,
  sealFor,
  type FactoryEnvironment,
  type MadeOperation,
  type OperationOptions,
} from "./made-operation";
import { messageFactory } from "./message-factory";

/** One method per state: the rows that an operation in that state leaves, made through the database's own functions. */
export interface OperationFactory {
  inProgress(options?: OperationOptions): Promise<MadeOperation>;
  stale(options?: OperationOptions): Promise<MadeOperation>;
  /** Executed, published, processed and posted. @param replays further answers of the same bytes */
  completed(options?: OperationOptions & { readonly replays?: number }): Promise<MadeOperation>;
  failedReplayable(options?: OperationOptions): Promise<MadeOperation>;
  failedRetryable(options?: OperationOptions): Promise<MadeOperation>;
  /** @param minutes since when nobody knows @param webhook what a signed event in the inbox says */
  unknown(
    options?: OperationOptions & { readonly minutes?: number; readonly webhook?: "succeeded" | "declined" },
  ): Promise<MadeOperation>;
  expired(options?: OperationOptions): Promise<MadeOperation>;
  /** Completed, then the same key with another amount. @returns the conflict's event id beside the operation */
  withConflict(
    options?: OperationOptions & { readonly otherMinor?: bigint },
  ): Promise<MadeOperation & { readonly eventId: string }>;
  outboxDead(options?: OperationOptions): Promise<MadeOperation & { readonly messageId: string }>;
  outboxPending(options?: OperationOptions): Promise<MadeOperation & { readonly messageId: string }>;
  inboxDuplicate(options?: OperationOptions): Promise<MadeOperation & { readonly inboxId: string }>;
}

const ANSWER = '{"status":"succeeded"}';

export function operationFactory(env: FactoryEnvironment): OperationFactory {
  const messages = messageFactory(env);
  const { q, tenantId } = env;

  async function sent(options: OperationOptions = {}): Promise<MadeOperation & { readonly callId: string }> {
    const made = await claimOperation(env, options);
    const callId = uuidv7();
    const { operationId, fence, providerKey, amountMinor, currency } = made;
    await insertPayment(q, {
      tenantId,
      id: made.paymentId,
      operationId,
      accountId: made.account,
      amountMinor,
      currency,
      merchantReference: made.reference,
      channel: "web",
      providerKey,
    });
    await prepareProvider(q, {
      tenantId,
      operationId,
      fence,
      id: callId,
      providerKey,
      provider: "sandbox",
      kind: "charge",
      amountMinor,
      currency,
    });
    await markSent(q, tenantId, operationId, fence, callId);
    return { ...made, callId };
  }
  async function settled(options: OperationOptions = {}): Promise<MadeOperation> {
    const made = await sent(options);
    await answerProvider(q, {
      tenantId,
      requestId: made.callId,
      outcome: "succeeded",
      reference: `np_${made.paymentId.slice(-8)}`,
      detail: "succeeded",
    });
    await settlePayment(q, tenantId, made.operationId, "succeeded", `np_${made.paymentId.slice(-8)}`);
    await finish(made, "COMPLETED", 201, undefined);
    await answered(env, made, "executed", { body: ANSWER });
    return made;
  }
  async function finish(
    made: MadeOperation,
    state: "COMPLETED" | "FAILED_REPLAYABLE",
    status: number,
    errorCode: string | undefined,
  ): Promise<void> {
    const bodySealed = await sealFor(env, made, "response", Buffer.from(ANSWER));
    const { operationId, fence } = made;
    const done = await complete(q, {
      tenantId,
      operationId,
      fence,
      state,
      status,
      schemaVersion: "1",
      resourceType: "payment",
      resourceId: made.paymentId,
      errorCode,
      replay: "stored",
      headers: {},
      bodySealed,
    });
    if (!done) throw new Error("the factory's operation was fenced");
  }
  async function posted(made: MadeOperation): Promise<void> {
    const { operationId, paymentId: sourceId, amountMinor, currency, account } = made;
    await insertLedgerEntry(q, {
      tenantId,
      id: uuidv7(),
      entryType: "payment",
      sourceId,
      operationId,
      debitAccount: "provider",
      creditAccount: account,
      amountMinor,
      currency,
    });
  }
  const factory: OperationFactory = {
    inProgress: (options) => sent(options),
    async stale(options) {
      const made = await sent(options);
      await q.query({
        text: "update onceboard.idempotency_open set locked_until = now() - interval '2 minutes' where tenant_id = $1 and operation_id = $2",
        values: [tenantId, made.operationId],
      });
      return made;
    },
    async completed(options) {
      const made = await settled(options);
      const messageId = await messages.published(made);
      await messages.processed(made, messageId);
      await posted(made);
      for (let replay = 0; replay < (options?.replays ?? 0); replay += 1)
        await answered(env, made, "replayed", { body: ANSWER });
      return made;
    },
    async failedReplayable(options) {
      const made = await sent(options);
      await answerProvider(q, {
        tenantId,
        requestId: made.callId,
        outcome: "declined",
        reference: undefined,
        detail: "declined: insufficient_funds",
      });
      await settlePayment(q, tenantId, made.operationId, "failed", undefined);
      await finish(made, "FAILED_REPLAYABLE", 402, "payment.insufficient_funds");
      await answered(env, made, "executed", { status: 402, code: "payment.insufficient_funds", body: ANSWER });
      return made;
    },
    async failedRetryable(options) {
      const made = await sent(options);
      await answerProvider(q, {
        tenantId,
        requestId: made.callId,
        outcome: "no_effect",
        reference: undefined,
        detail: "refused the connection",
      });
      await deletePendingPayment(q, tenantId, made.operationId);
      await failRetryable(q, tenantId, made.operationId, made.fence, "dependency.unavailable");
      await answered(env, made, "failed", { status: 503, code: "dependency.unavailable" });
      return made;
    },
    async unknown(options) {
      const made = await sent(options);
      const { operationId, fence } = made;
      await answerProvider(q, {
        tenantId,
        requestId: made.callId,
        outcome: "indefinite",
        reference: undefined,
        detail: "timeout",
      });
      await markUnknown(q, {
        tenantId,
        operationId,
        fence,
        errorCode: "dependency.timeout",
        finding: "processing",
        checked: true,
        nextCheckMs: 60_000,
      });
      await answered(env, made, "unknown", { status: 504, code: "dependency.timeout" });
      await q.query({
        text: "update onceboard.idempotency_open set unknown_since = now() - make_interval(mins => $3) where tenant_id = $1 and operation_id = $2",
        values: [tenantId, operationId, options?.minutes ?? 41],
      });
      if (options?.webhook !== undefined) await messages.webhook(made, options.webhook);
      return made;
    },
    async expired(options) {
      const made = await factory.completed(options);
      await q.query({
        text: "update onceboard.idempotency_requests set expires_at = now() - interval '1 minute' where tenant_id = $1 and operation_id = $2",
        values: [tenantId, made.operationId],
      });
      await q.query({ text: "select onceboard.expire_requests($1, 10)", values: [tenantId] });
      await answered(env, made, "expired_retry", { status: 410, code: "idempotency.key_expired" });
      return made;
    },
    async withConflict(options) {
      const made = await factory.completed(options);
      const amount = formatAmount(options?.otherMinor ?? made.amountMinor * 10n, made.currency);
      const other = { ...made.command, fields: { ...made.command.fields, amount } };
      const eventId = await answered(env, made, "conflict", {
        status: 409,
        code: "idempotency.payload_mismatch",
        detail: { differingFields: ["amount"] },
        other,
      });
      return { ...made, eventId };
    },
    async outboxDead(options) {
      const made = await settled(options);
      return { ...made, messageId: await messages.dead(made) };
    },
    async outboxPending(options) {
      const made = await settled(options);
      return { ...made, messageId: await messages.pending(made) };
    },
    async inboxDuplicate(options) {
      const made = await settled(options);
      const messageId = await messages.published(made);
      const inboxId = await messages.processed(made, messageId);
      await messages.recorded(made, messageId);
      await posted(made);
      return { ...made, inboxId };
    },
  };
  return factory;
}
