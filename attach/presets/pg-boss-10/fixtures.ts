import PgBoss from "pg-boss";
import type { ForeignDatabase } from "../../testing/foreign-database";

export const PG_BOSS_QUEUE_NAME = "orders";
const HOUR = 3_600;
const ERROR = {
  name: "GatewayError",
  message: "The gateway was gone.",
  stack: "GatewayError: The gateway was gone.\n    at pay",
};

/** pg-boss 10 itself, with tables of its own in a database of its own. */
export async function startPgBoss(database: ForeignDatabase): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: database.ownerUrl, max: 2, schedule: false, supervise: false });
  boss.on("error", () => undefined);
  await boss.start();
  await boss.createQueue(PG_BOSS_QUEUE_NAME, { name: PG_BOSS_QUEUE_NAME, policy: "standard" });
  return boss;
}

/** A job in every state, put there by pg-boss. @returns the id of the one in each */
export async function pgBossJobs(boss: PgBoss, database: ForeignDatabase): Promise<Readonly<Record<string, string>>> {
  const send = async (options: PgBoss.SendOptions = {}): Promise<string> =>
    (await boss.send(PG_BOSS_QUEUE_NAME, { amount: "12.00" }, { retryLimit: 2, retryDelay: HOUR, ...options })) ?? "";
  /** What is due and waits is this one alone: every other one is put into its state before. */
  const take = async (options: PgBoss.SendOptions = {}): Promise<string> => {
    const id = await send(options);
    await boss.fetch(PG_BOSS_QUEUE_NAME);
    return id;
  };
  const in_progress = await take({ expireInSeconds: 600, singletonKey: "customer-7" });
  const sent = await take();
  await boss.complete(PG_BOSS_QUEUE_NAME, sent, { message: "a result" });
  const retrying = await take();
  await boss.fail(PG_BOSS_QUEUE_NAME, retrying, ERROR);
  const dead = await take({ retryLimit: 0 });
  await boss.fail(PG_BOSS_QUEUE_NAME, dead, ERROR);
  const archived = await take({ retryLimit: 0 });
  await boss.fail(PG_BOSS_QUEUE_NAME, archived, ERROR);
  await database.run("update pgboss.job set completed_on = now() - interval '13 hours' where id = $1", [archived]);
  await boss.maintain();
  const cancelled = await send();
  await boss.cancel(PG_BOSS_QUEUE_NAME, cancelled);
  const scheduled = await send({ startAfter: HOUR });
  const expired = await send();
  await database.run("update pgboss.job set keep_until = now() - interval '1 minute' where id = $1", [expired]);
  const waiting = await send();
  return { in_progress, sent, retrying, dead, archived, cancelled, scheduled, expired, waiting };
}
