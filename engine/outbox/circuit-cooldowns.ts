import type { Backoff } from "@/domain/messages/backoff";
import type { EngineContext } from "../context";

/** A topic whose destination is down is looked at again after this, longer each time. */
export const OUTAGE_BACKOFF: Backoff = { baseMs: 1_000, capMs: 30_000 };

/** Topics whose circuit is open because their destination was down, by tenant and topic. One per process; it may be lost at any time. */
export type CircuitCooldowns = Map<string, { readonly until: number; readonly outages: number }>;

/** @returns the key of a topic's cooldown. */
export function cooldownKey(ctx: Pick<EngineContext, "tenantId">, topic: string): string {
  return `${ctx.tenantId}/${topic}`;
}

/** @returns the topics of this tenant that are in cooldown now. */
export function coolingTopics(
  ctx: Pick<EngineContext, "tenantId">,
  cooldowns: CircuitCooldowns,
  now: number,
): string[] {
  const start = cooldownKey(ctx, "");
  return [...cooldowns].flatMap(([name, { until }]) =>
    until > now && name.startsWith(start) ? [name.slice(start.length)] : [],
  );
}
