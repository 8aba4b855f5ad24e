import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { claimInbox, claimOutbox } from "@/db/messages/claim-messages";
import { failMessage, finishInbox, publishOutbox } from "@/db/messages/end-attempt";
import { insertOutboxMessage } from "@/db/outbox/insert-outbox-message";
import { receiveMessage } from "@/db/inbox/receive-message";
import type { FactoryEnvironment, MadeOperation } from "./made-operation";

/** Messages of an operation on both sides, each made by the functions that the loops use. Returns ids of rows. */
export interface MessageFactory {
  pending(made: MadeOperation): Promise<string>;
  published(made: MadeOperation): Promise<string>;
  dead(made: MadeOperation): Promise<string>;
  /** Arrives at the ledger's inbox; a second time it is a duplicate. @returns the inbox row */
  recorded(made: MadeOperation, messageId: string): Promise<string>;
  processed(made: MadeOperation, messageId: string): Promise<string>;
  /** A signed event of the provider waits in the inbox. */
  webhook(made: MadeOperation, status: "succeeded" | "declined"): Promise<string>;
}

const LEASE_MS = 30_000;
const ALL = 1_000;

export function messageFactory({ q, tenantId }: FactoryEnvironment): MessageFactory {
  async function receive(
    made: MadeOperation,
    consumer: string,
    source: string,
    messageId: string,
    type: string,
    payload: unknown,
  ): Promise<string> {
    const payloadHash = createHash("sha256").update(JSON.stringify(payload)).digest();
    const row = await receiveMessage(q, {
      tenantId,
      id: uuidv7(),
      arrivalId: uuidv7(),
      consumer,
      source,
      messageId,
      type,
      operationId: made.operationId,
      payload,
      payloadHash,
      headers: {},
      requestId: "req-inbox",
      alone: false,
    });
    return row.inbox_id;
  }
  const factory: MessageFactory = {
    async pending(made) {
      const id = uuidv7();
      const data = { operationId: made.operationId, paymentId: made.paymentId };
      await insertOutboxMessage(q, {
        tenantId,
        id,
        operationId: made.operationId,
        aggregateType: "payment",
        aggregateId: made.paymentId,
        topic: "payments",
        type: "payment.succeeded",
        payload: { id, type: "payment.succeeded", data },
        headers: {},
      });
      return id;
    },
    async published(made) {
      const id = await factory.pending(made);
      const fence = await taken(id);
      await publishOutbox(q, tenantId, [{ id, fence }], "http");
      return id;
    },
    async dead(made) {
      const id = await factory.pending(made);
      const fence = await taken(id);
      await failMessage(q, "outbox", {
        tenantId,
        id,
        fence,
        errorCode: "http.503",
        error: "503 from the receiver",
        errorFingerprint: "http.503 receiver",
        delayMs: 1_000,
        maxAttempts: 1,
        attemptId: uuidv7(),
      });
      return id;
    },
    recorded: (made, messageId) =>
      receive(made, "ledger", "onceboard", messageId, "payment.succeeded", {
        id: messageId,
        type: "payment.succeeded",
      }),
    async processed(made, messageId) {
      const id = await factory.recorded(made, messageId);
      const row = (
        await claimInbox(q, { tenantId, owner: "worker-1", leaseMs: LEASE_MS, limit: ALL, alone: false })
      ).find((each) => each.id === id);
      if (row === undefined) throw new Error("the factory's inbox message was not due");
      await finishInbox(q, tenantId, [{ id, fence: row.fence, result: "posted" }]);
      return id;
    },
    webhook(made, status) {
      const { providerKey, amountMinor, currency, operationId } = made;
      const data = {
        id: `np_${made.paymentId.slice(-8)}`,
        providerKey,
        status,
        amount: amountMinor.toString(),
        currency,
        metadata: { operationId },
      };
      return receive(made, "provider-webhook", "provider", `evt_${made.paymentId}_${status}`, `charge.${status}`, {
        type: `charge.${status}`,
        data,
      });
    },
  };
  async function taken(id: string): Promise<number> {
    const row = (
      await claimOutbox(q, { tenantId, topic: "payments", owner: "worker-1", leaseMs: LEASE_MS, limit: ALL })
    ).find((each) => each.id === id);
    if (row === undefined) throw new Error("the factory's outbox message was not due");
    return row.fence;
  }
  return factory;
}
