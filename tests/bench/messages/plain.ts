import { v7 as uuidv7 } from "uuid";
import { createDatabase, type Queryable } from "@/db/client";
import { inTransaction } from "@/db/transaction";
import { runAsOwner } from "../database";
import { EFFECTS_TABLE, INSERT_EFFECT, payloadOf, sendBatches, type Contender, type WorkKind } from "./contender";

export interface PlainOptions {
  readonly work: WorkKind;
  /** As the product does it. */
  readonly batch: number;
  readonly lanes: number;
}

const TABLES = [
  `create table jobs (id uuid primary key, payload jsonb not null, due_at timestamptz not null default now(),
     owner text, locked_until timestamptz)`,
  "create index jobs_due on jobs (due_at)",
  "create table jobs_done (id uuid primary key, payload jsonb not null, done_at timestamptz not null)",
  EFFECTS_TABLE,
];
const SEND = `insert into jobs (id, payload)
  select j.id, j.payload from jsonb_to_recordset($1::jsonb) as j(id uuid, payload jsonb)`;
const CLAIM = `update jobs set owner = $1, locked_until = now() + interval '30 seconds'
  where id in (select id from jobs where due_at <= now() and (locked_until is null or locked_until <= now())
               order by due_at limit $2 for update skip locked)
  returning id, payload`;
const DONE = `with moved as (delete from jobs where id = any($1) and owner = $2 returning id, payload)
  insert into jobs_done (id, payload, done_at) select id, payload, now() from moved`;

/** The floor: as little SQL as a queue with a lease and a history can be, in batches, without anything around it. */
export function plainSql({ work, batch, lanes }: PlainOptions): Contender {
  return {
    name: "plain SQL",
    work,
    settings: `batches of ${String(batch)}, ${String(lanes)} at once`,
    async open(url) {
      await runAsOwner(url, TABLES);
      const db = createDatabase({ url, max: lanes, role: "owner", applicationName: "bench plain" });
      const one = async (owner: string): Promise<number> => {
        const { rows } = await db.pool.query<{ id: string }>({ name: "claim", text: CLAIM, values: [owner, batch] });
        const done = { name: "done", text: DONE, values: [rows.map(({ id }) => id), owner] };
        if (rows.length === 0) return 0;
        if (work === "nothing") await db.pool.query(done);
        else
          await inTransaction(db, async (tx: Queryable) => {
            for (const { id } of rows) await tx.query({ name: "effect", text: INSERT_EFFECT, values: [id] });
            await tx.query(done);
          });
        return rows.length;
      };
      return {
        async send(count) {
          for (const size of sendBatches(count)) {
            const jobs = Array.from({ length: size }, () => uuidv7()).map((id) => ({ id, payload: payloadOf(id) }));
            await db.pool.query({ name: "send", text: SEND, values: [JSON.stringify(jobs)] });
          }
        },
        async finish() {
          let done = 0;
          const lane = async (_: unknown, index: number): Promise<void> => {
            for (let some = await one(`lane-${String(index)}`); some > 0; some = await one(`lane-${String(index)}`))
              done += some;
          };
          await Promise.all(Array.from({ length: lanes }, lane));
          return done;
        },
        close: () => db.close(),
      };
    },
  };
}
