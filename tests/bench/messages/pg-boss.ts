import PgBoss from "pg-boss";
import { v7 as uuidv7 } from "uuid";
import { createDatabase } from "@/db/client";
import { inTransaction } from "@/db/transaction";
import { runAsOwner } from "../database";
import { EFFECTS_TABLE, INSERT_EFFECT, payloadOf, sendBatches, type Contender, type WorkKind } from "./contender";

const QUEUE = "bench";
const POOL = 10;

/**
 * pg-boss as fast as it goes: insert() in batches, fetch() and complete() in batches by several workers without the pause
 * of half a second that its own work() makes, no ordering by priority, no maintenance beside it.
 */
export function pgBoss(work: WorkKind, { batch = 1_000, lanes = 2 } = {}): Contender {
  return {
    name: "pg-boss 10.4.2",
    work,
    settings: `insert, fetch and complete in batches, ${String(batch)} fetched at once, ${String(lanes)} workers, without priority`,
    async open(url) {
      await runAsOwner(url, [EFFECTS_TABLE]);
      const boss = new PgBoss({ connectionString: url, max: POOL, supervise: false, schedule: false });
      boss.on("error", (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
      await boss.start();
      await boss.createQueue(QUEUE, { name: QUEUE, policy: "standard" });
      const db = createDatabase({ url, max: lanes, role: "owner", applicationName: "bench pg-boss" });
      const one = async (): Promise<number> => {
        const jobs = await boss.fetch<{ id: string }>(QUEUE, { batchSize: batch, priority: false });
        if (jobs.length === 0) return 0;
        if (work === "one row")
          await inTransaction(db, async (tx) => {
            for (const { id } of jobs) await tx.query({ name: "effect", text: INSERT_EFFECT, values: [id] });
          });
        await boss.complete(
          QUEUE,
          jobs.map(({ id }) => id),
        );
        return jobs.length;
      };
      return {
        async send(count) {
          for (const size of sendBatches(count)) {
            const ids = Array.from({ length: size }, () => uuidv7());
            await boss.insert(ids.map((id) => ({ id, name: QUEUE, data: payloadOf(id) })));
          }
        },
        async finish() {
          let done = 0;
          const lane = async (): Promise<void> => {
            for (let some = await one(); some > 0; some = await one()) done += some;
          };
          await Promise.all(Array.from({ length: lanes }, lane));
          return done;
        },
        async close() {
          await boss.stop({ graceful: false, wait: true });
          await db.close();
        },
      };
    },
  };
}
