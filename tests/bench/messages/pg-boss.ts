import PgBoss from "pg-boss";
import { createDatabase } from "@/db/client";
import { inTransaction } from "@/db/transaction";
import { INSERT_EFFECT, ONE_AT_A_TIME, payloadOf, type Contender, type WorkKind } from "./contender";

const QUEUE = "bench";
const POOL = 10;
const BATCH = 1_000;
const LANES = 2;

/**
 * pg-boss as fast as it goes: insert() in batches, fetch() and complete() in batches by several workers without the pause
 * of half a second that its own work() makes, no ordering by priority, no maintenance beside it.
 */
export function pgBoss(work: WorkKind): Contender {
  return {
    ...ONE_AT_A_TIME,
    lanes: LANES,
    name: "pg-boss 10.4.2",
    work,
    settings: `insert, fetch and complete in batches, ${String(BATCH)} fetched at once, ${String(LANES)} workers, without priority`,
    async open(url) {
      const boss = new PgBoss({ connectionString: url, max: POOL, supervise: false, schedule: false });
      boss.on("error", (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
      await boss.start();
      await boss.createQueue(QUEUE, { name: QUEUE, policy: "standard" });
      const db = createDatabase({ url, max: LANES, role: "owner", applicationName: "bench pg-boss" });
      return {
        async send(ids) {
          await boss.insert(ids.map((id) => ({ id, name: QUEUE, data: payloadOf(id) })));
        },
        async finishSome() {
          const jobs = await boss.fetch<{ id: string }>(QUEUE, { batchSize: BATCH, priority: false });
          if (jobs.length === 0) return 0;
          const ids = jobs.map(({ id }) => id);
          if (work === "one row")
            await inTransaction(db, async (tx) => {
              for (const id of ids) await tx.query({ name: "effect", text: INSERT_EFFECT, values: [id] });
            });
          await boss.complete(QUEUE, ids);
          return ids.length;
        },
        async close() {
          await boss.stop({ graceful: false, wait: true });
          await db.close();
        },
      };
    },
  };
}
