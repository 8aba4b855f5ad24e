import { newId } from "@/domain/new-id";
import { receiveMessages, receiveTogether, type ReceiveInput } from "@/db/inbox/receive-message";
import { openTransaction } from "@/db/transaction";
import type { EngineContext } from "../context";
import { operationIdOf } from "./arrival-members";
import type { ConsumerRegistry } from "./consumer";
import { sealArrival } from "./sealed-arrival";
import { crashPoint } from "../crash-point";
import { sha256 } from "../sha256";

export interface ReceiveRequest {
  /** As in `POST /events/{source}`. */
  readonly source: string;
  readonly messageId: string;
  readonly type: string;
  readonly payload: unknown;
  /** The bytes as they arrived, or one form of what they say: a second arrival with the same SHA-256, or an equal payload, is the same message. */
  readonly payloadBytes: Uint8Array;
  /** What may be kept of the headers; never a signature or an authorization. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ReceiveResult {
  /** `mismatch` when any consumer holds another payload under this id; `recorded` when any consumer took it now. */
  readonly outcome: "recorded" | "duplicate" | "mismatch";
  readonly inboxIds: readonly string[];
}

/**
 * Records an arrival for every consumer that subscribed, before anything is handled. All rows or none.
 *
 * @throws AppError `dependency.unavailable`: nothing is known to be recorded, the sender has to come again; RangeError, with SEAL_PAYLOADS,
 *   for what PostgreSQL would refuse
 */
export async function receive(
  ctx: EngineContext,
  consumers: ConsumerRegistry,
  request: ReceiveRequest,
): Promise<ReceiveResult> {
  crashPoint("I1");
  const [result] = await receiveAll(ctx, consumers, [request]);
  crashPoint("I4");
  if (result === undefined) throw new Error("an arrival has no consumer");
  return result;
}

/**
 * Records arrivals that came together, each for every consumer that subscribed, in one statement. All rows or none.
 *
 * @returns what became of each, in their order
 * @throws AppError as {@link receive}
 */
export async function receiveAll(
  ctx: EngineContext,
  consumers: ConsumerRegistry,
  requests: readonly ReceiveRequest[],
): Promise<ReceiveResult[]> {
  // Sealed before a connection is held: a key that is read needs one of its own.
  const inputs = await Promise.all(requests.map((request) => inputsOf(ctx, consumers, request)));
  const all = inputs.flat();
  const open = openTransaction(ctx.db);
  const bytes = requests.reduce((sum, { payloadBytes }) => sum + payloadBytes.length, 0);
  const rows = await (open === undefined
    ? receiveTogether(ctx.db, { inputs: all, bytes })
    : receiveMessages(open, all));
  let next = 0;
  return inputs.map(({ length }, index) => {
    const own = rows.slice(next, (next += length));
    const outcomes = own.map((row) => row.outcome);
    const outcome = outcomes.includes("mismatch")
      ? "mismatch"
      : outcomes.includes("recorded")
        ? "recorded"
        : "duplicate";
    if (outcome === "mismatch") {
      ctx.log.warn(
        { source: requests[index]?.source, messageId: requests[index]?.messageId },
        "a message id came again with another payload",
      );
    }
    return { outcome, inboxIds: own.map((row) => row.inbox_id) };
  });
}

/** @returns one row for each consumer, sealed where SEAL_PAYLOADS says so: consumers of the registry are handled by our own code, which opens it. */
function inputsOf(ctx: EngineContext, consumers: ConsumerRegistry, request: ReceiveRequest): Promise<ReceiveInput[]> {
  const payloadHash = sha256(request.payloadBytes);
  const operationId = operationIdOf(request.payload);
  const inputs = consumers.consumersOf(request.source, request.type).map(async (consumer) => {
    const id = newId();
    return {
      tenantId: ctx.tenantId,
      id,
      arrivalId: newId(),
      consumer,
      source: request.source,
      messageId: request.messageId,
      type: request.type,
      operationId,
      ...(await sealArrival(ctx, id, request.payload)),
      payloadHash,
      headers: request.headers,
      requestId: ctx.requestId,
      alone: consumers.byName(consumer)?.path === "idempotent",
    };
  });
  return Promise.all(inputs);
}
