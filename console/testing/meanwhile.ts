import { expect } from "vitest";
import { inTransaction } from "@/db/transaction";
import type { EngineTestEnvironment } from "@/engine/testing/environment";

/**
 * Somebody is faster: what they write is committed once `work` waits for it.
 * @param sql statements without parameters, as the owner of the tables
 */
export async function meanwhile<R>(env: EngineTestEnvironment, sql: string, work: () => Promise<R>): Promise<R> {
  let waiting: Promise<PromiseSettledResult<R>[]> | undefined;
  await inTransaction(env.owner, async (tx) => {
    await tx.query({ text: sql });
    waiting = Promise.allSettled([work()]);
    await expect
      .poll(() =>
        env.rows("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"),
      )
      .toHaveLength(1);
  });
  const [result] = (await waiting) ?? [];
  if (result?.status === "fulfilled") return result.value;
  throw result?.reason ?? new Error("nothing waited");
}
