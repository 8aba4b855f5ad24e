import type { Backoff } from "@/domain/messages/backoff";
import type { EngineContext } from "../context";

/** A topic whose destination is down is looked at again after this, longer each time. */
export const OUTAGE_BACKOFF: Backoff = { baseMs: 1_000, capMs: 30_000 };

/** Topics that rest because their destination was down, by tenant and topic. One per process; it may be lost at any time. */
export type RelayRests = Map<string, { readonly until: number; readonly outages: number }>;

/** @returns the name of a topic's rest. */
export function restOf(ctx: Pick<EngineContext, "tenantId">, topic: string): string {
  return `${ctx.tenantId}/${topic}`;
}

/** @returns the topics of this tenant that rest now. */
export function restingTopics(ctx: Pick<EngineContext, "tenantId">, rests: RelayRests, now: number): string[] {
  const start = restOf(ctx, "");
  return [...rests].flatMap(([name, { until }]) =>
    until > now && name.startsWith(start) ? [name.slice(start.length)] : [],
  );
}
