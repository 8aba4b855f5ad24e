import { withTimeout } from "@/domain/with-timeout";
import type { EngineContext } from "../context";
import { cooldownKey } from "./circuit-cooldowns";
import type { RelayResult } from "./relay-topic";

/** A tick waits no longer for a topic; one that takes longer goes on beside the ticks that follow. */
export const TOPIC_TICK_TIMEOUT_MS = 250;
/** Topics of one process, over all tenants, that go on beside its ticks; beyond that a tick waits for what it began. */
export const TOPICS_BESIDE_MAX = 64;

type Sum = { -readonly [Name in keyof RelayResult]: number };
type Tenant = Pick<EngineContext, "tenantId">;

/** The topics that a process has under way. A destination that answers slowly keeps only its own topic waiting. */
export type TopicSlots = ReturnType<typeof createTopicSlots>;

/** @param timeoutMs without it a tick waits for all of its topics */
export function createTopicSlots(timeoutMs?: number) {
  const taken = new Map<string, Promise<void>>();
  let beside = 0;
  const sums = new Map<string, Sum>();
  const failures = new Map<string, unknown>();
  const add = (tenantId: string, result: RelayResult): void => {
    const sum = sums.get(tenantId) ?? nothing();
    for (const name of Object.keys(sum) as (keyof RelayResult)[]) sum[name] += result[name];
    sums.set(tenantId, sum);
  };
  return {
    underWay(tenant: Tenant): string[] {
      const start = cooldownKey(tenant, "");
      return [...taken.keys()].flatMap((name) => (name.startsWith(start) ? [name.slice(start.length)] : []));
    },
    /** Begins with a topic and waits for it, but no longer than the tick timeout. Never rejects. */
    async run(tenant: Tenant, topic: string, work: () => Promise<RelayResult>): Promise<void> {
      const { tenantId } = tenant;
      const name = cooldownKey(tenant, topic);
      const slot = work().then(
        (result) => add(tenantId, result),
        (error: unknown) => {
          if (!failures.has(tenantId)) failures.set(tenantId, error);
        },
      );
      taken.set(name, slot);
      void slot.then(() => taken.delete(name));
      if (timeoutMs === undefined || beside >= TOPICS_BESIDE_MAX) return slot;
      if (
        await withTimeout(
          slot.then(() => true),
          timeoutMs,
          () => false,
        )
      )
        return;
      beside += 1;
      void slot.then(() => (beside -= 1));
    },
    /** @returns what ended of this tenant since the last call. @throws the first thing that was thrown since then */
    collect({ tenantId }: Tenant): RelayResult {
      const sum = sums.get(tenantId) ?? nothing();
      const failed = failures.has(tenantId);
      const failure = failures.get(tenantId);
      sums.delete(tenantId);
      failures.delete(tenantId);
      if (failed) throw failure;
      return sum;
    },
    async allEnded(): Promise<void> {
      await Promise.all(taken.values());
    },
  };
}

function nothing(): Sum {
  return { claimed: 0, published: 0, failed: 0, dead: 0, fenced: 0, released: 0, unavailable: 0 };
}
