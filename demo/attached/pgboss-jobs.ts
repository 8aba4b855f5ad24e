import PgBoss from "pg-boss";

const QUEUES = ["mails", "invoices"] as const;
const RETRY_LIMIT = 2;
const RETRY_DELAY_SECONDS = 20;
/** Of the past: so many jobs of each queue, of which some failed and some were left. */
const [SEEDED, FAILED, LEFT] = [30, 4, 3];
const FAILING_SHARE = 0.08;
const STOP_LIMIT_MS = 3_000;

/** pg-boss itself, with its queues, which have a past from the moment they are made. @param ownerUrl of its database */
export async function startPgBossJobs(ownerUrl: string): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    max: 2,
    application_name: "pg-boss of the demo",
    schedule: false,
  });
  // What it cannot reach now it tries again by itself.
  boss.on("error", () => undefined);
  await boss.start();
  for (const name of QUEUES) {
    if ((await boss.getQueue(name)) !== null) continue;
    await boss.createQueue(name);
    await fill(boss, name);
  }
  return boss;
}

export const stopPgBossJobs = (boss: PgBoss): Promise<void> =>
  boss.stop({ graceful: false, wait: true, timeout: STOP_LIMIT_MS });

/** Most are done, some failed for good, some are tried again, some wait. */
async function fill(boss: PgBoss, name: string): Promise<void> {
  await boss.insert(Array.from({ length: SEEDED }, (_, n) => ({ name, data: dataOf(n), ...pastTries(n) })));
  const taken = await boss.fetch(name, { batchSize: SEEDED - LEFT });
  const ids = taken.map(({ id }) => id);
  await boss.complete(name, ids.slice(FAILED));
  for (const id of ids.slice(0, FAILED)) await boss.fail(name, id, new Error(errorOf(name)));
}

/** Every other one may be tried again, in an hour. */
const pastTries = (n: number) => ({ retryLimit: n % 2, retryDelay: 3_600 });

/** Does what is due, and fails at some of it. */
export async function workPgBossJobs(boss: PgBoss): Promise<void> {
  for (const name of QUEUES)
    await boss.work(name, () =>
      Math.random() < FAILING_SHARE ? Promise.reject(new Error(errorOf(name))) : Promise.resolve(),
    );
}

/** One more job. */
export async function sendPgBossJob(boss: PgBoss): Promise<void> {
  const name = QUEUES[Math.random() < 0.5 ? 0 : 1];
  await boss.send(name, dataOf(Math.floor(Math.random() * 10_000)), {
    retryLimit: RETRY_LIMIT,
    retryDelay: RETRY_DELAY_SECONDS,
  });
}

const dataOf = (n: number): object => ({ order: `A-${String(10_000 + n)}`, amount: `${String(5 + (n % 400))}.00` });

const errorOf = (name: string): string =>
  name === "mails" ? "451 the mail server asks to come again later" : "The invoice has no address of its customer.";
