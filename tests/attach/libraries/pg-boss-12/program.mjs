// pg-boss 12 itself: its tables, its queue, its worker. The address of the module is given: it is installed for this test alone.
const { PgBoss } = await import(process.env["LIBRARY_MODULE"]);

const QUEUE = "orders";
const HOUR = 3_600;
const ERROR = new Error("The gateway was gone.");

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const boss = new PgBoss({ connectionString: process.env["DATABASE_URL"], max: 2, schedule: false, supervise: false });
boss.on("error", () => undefined);
await boss.start();
await (process.argv[2] === "fill" ? fill() : work());
await boss.stop({ graceful: false });
process.exit(0);

async function fill() {
  await boss.createQueue(QUEUE);
  const send = (options = {}) => boss.send(QUEUE, { amount: "12.00" }, { retryLimit: 2, retryDelay: HOUR, ...options });
  /** What is due is this one alone: every other one is put into its state before. */
  const take = async (options = {}) => {
    const id = await send(options);
    await boss.fetch(QUEUE);
    return id;
  };
  const states = {};
  states.in_progress = await take();
  states.sent = await take();
  await boss.complete(QUEUE, states.sent);
  states.retrying = await take();
  await boss.fail(QUEUE, states.retrying, ERROR);
  const dead = [];
  for (const _ of ["put back", "discarded"]) {
    const id = await take({ retryLimit: 0 });
    await boss.fail(QUEUE, id, ERROR);
    dead.push(id);
  }
  states.cancelled = await send();
  await boss.cancel(QUEUE, states.cancelled);
  states.scheduled = await send({ startAfter: HOUR });
  states.waiting = await send({ priority: -1 });
  for (const [state, id] of Object.entries(states)) say({ id: `job:${id}`, view: "outgoing", state });
  for (const id of dead) for (const view of ["outgoing", "dead"]) say({ id: `job:${id}`, view, state: "dead" });
}

/** What is due, and no more: a queue without any ends it. */
async function work() {
  for (let jobs = await boss.fetch(QUEUE); jobs.length > 0; jobs = await boss.fetch(QUEUE))
    for (const { id } of jobs) {
      say({ ran: `job:${id}` });
      await boss.complete(QUEUE, id);
    }
}
