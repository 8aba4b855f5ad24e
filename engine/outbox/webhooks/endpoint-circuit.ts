import { closeCircuit, failCircuit, type Circuit } from "@/db/outbox/circuits";
import type { Backoff } from "@/domain/messages/backoff";
import type { EngineContext } from "../../context";
import { disableEndpoint } from "./disable-endpoint";
import { endpointOfTopic } from "./topic";

/** Failed deliveries in a row after which an endpoint counts as down: its messages wait, and one canary is sent at a time. */
const CIRCUIT_FAILURES = 5;
/** Between two canaries. */
const CANARY_BACKOFF: Backoff = { baseMs: 30_000, capMs: 900_000 };
/** An endpoint at which no delivery has worked for so long is disabled: what waits for it stays, until a person decides. */
const GIVE_UP_MS = 3 * 86_400_000;
/** Kept in the audit. */
export const SILENT_REASON = "No delivery has worked for three days.";

export function hasCircuit(topic: string): boolean {
  return endpointOfTopic(topic) !== undefined;
}

export interface FailedSend {
  readonly topic: string;
  readonly code: string;
  readonly reason: string;
  readonly random: () => number;
}

/** Counts a failed delivery, and gives an endpoint up that has been down for days. @returns the circuit before and after it */
export async function deliveryFailed(
  ctx: EngineContext,
  { topic, code, reason, random }: FailedSend,
): Promise<Circuit> {
  const circuit = await failCircuit(ctx.db.pool, {
    tenantId: ctx.tenantId,
    topic,
    limit: CIRCUIT_FAILURES,
    ...CANARY_BACKOFF,
    random: random(),
    errorCode: code,
    error: reason,
  });
  if (circuit.isOpen && !circuit.wasOpen) ctx.log.warn({ topic, code }, "an endpoint is down: its messages wait");
  const endpointId = endpointOfTopic(topic);
  if (circuit.openMs >= GIVE_UP_MS && endpointId !== undefined) await disableEndpoint(ctx, endpointId, SILENT_REASON);
  return circuit;
}

/** A delivery worked: what waits for the endpoint goes on. */
export async function deliveryWorked(ctx: EngineContext, topic: string): Promise<void> {
  if (await closeCircuit(ctx.db.pool, ctx.tenantId, topic)) ctx.log.info({ topic }, "an endpoint is back");
}
