// The store of idempot-js itself: its table, and the requests that its middleware would bring it. Its address is given: it is installed for this test alone.
import pg from "pg";

const { PostgresIdempotencyStore } = await import(process.env["LIBRARY_MODULE"]);

const DAY = 86_400_000;
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const response = { status: 201, headers: { "content-type": "application/json" }, body: '{"order":1}' };

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 1 });
const store = new PostgresIdempotencyStore({ pool });
await store.initSchema();
await (process.argv[2] === "fill" ? fill() : work());
await store.close();

async function fill() {
  await store.startProcessing("done", "of done", DAY);
  await store.complete("done", response);
  await store.startProcessing("running", "of running", DAY);
  // Its end is past, as of a request of yesterday that nobody looked for since.
  await store.startProcessing("expired", "of expired", -1);
  await store.complete("expired", response);
  for (const [key, state] of [
    ["done", "done"],
    ["running", "in_progress"],
    ["expired", "expired"],
  ])
    say({ id: `key:${key}`, view: "keys", state });
}

/** Each client tries again: what has a key is not executed. */
async function work() {
  for (const key of ["done", "running"]) {
    const { byKey } = await store.lookup(key, `of ${key}`);
    if (byKey !== null) continue;
    await store.startProcessing(key, `of ${key}`, DAY);
    say({ ran: `key:${key}` });
    await store.complete(key, response);
  }
}
