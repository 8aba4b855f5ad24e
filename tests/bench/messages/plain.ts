import { createDatabase, type Queryable } from "@/db/client";
import { inTransaction } from "@/db/transaction";
import { RELAY_BATCH } from "@/engine/outbox/relay-topic";
import { runAsOwner } from "../database";
import { INSERT_EFFECT, ONE_AT_A_TIME, payloadOf, type Contender, type WorkKind } from "./contender";

const LANES = 2;
const TABLES = [
  `create table jobs (id uuid primary key, payload jsonb not null, due_at timestamptz not null default now(),
     owner text, locked_until timestamptz)`,
  "create index jobs_due on jobs (due_at)",
  "create table jobs_done (id uuid primary key, payload jsonb not null, done_at timestamptz not null)",
];
const SEND = `insert into jobs (id, payload)
  select j.id, j.payload from jsonb_to_recordset($1::jsonb) as j(id uuid, payload jsonb)`;
const CLAIM = `update jobs set owner = $1, locked_until = now() + interval '30 seconds'
  where id in (select id from jobs where due_at <= now() and (locked_until is null or locked_until <= now())
               order by due_at limit $2 for update skip locked)
  returning id, payload`;
const DONE = `with moved as (delete from jobs where id = any($1) and owner = $2 returning id, payload)
  insert into jobs_done (id, payload, done_at) select id, payload, now() from moved`;

/** The floor: as little SQL as a queue with a lease and a history can be, in the product's batches, without anything around it. */
export function plainSql(work: WorkKind): Contender {
  return {
    ...ONE_AT_A_TIME,
    lanes: LANES,
    name: "plain SQL",
    work,
    settings: `batches of ${String(RELAY_BATCH)}, ${String(LANES)} at once`,
    async open(url) {
      await runAsOwner(url, TABLES);
      const db = createDatabase({ url, max: LANES, role: "owner", applicationName: "bench plain" });
      return {
        async send(ids) {
          const jobs = ids.map((id) => ({ id, payload: payloadOf(id) }));
          await db.pool.query({ name: "send", text: SEND, values: [JSON.stringify(jobs)] });
        },
        async finishSome(lane) {
          const owner = `lane-${String(lane)}`;
          const claim = { name: "claim", text: CLAIM, values: [owner, RELAY_BATCH] };
          const ids = (await db.pool.query<{ id: string }>(claim)).rows.map(({ id }) => id);
          if (ids.length === 0) return 0;
          const finish = async (tx: Queryable): Promise<void> => {
            if (work === "one row")
              for (const id of ids) await tx.query({ name: "effect", text: INSERT_EFFECT, values: [id] });
            await tx.query({ name: "done", text: DONE, values: [ids, owner] });
          };
          await (work === "one row" ? inTransaction(db, finish) : finish(db.pool));
          return ids.length;
        },
        close: () => db.close(),
      };
    },
  };
}
