import { randomBytes } from "node:crypto";
import { createDatabase, type Database } from "@/db/client";
import { cloneTemplate, prepareTemplate, type TemplateContent } from "@/db/testing/template-database";
import { startTestServer } from "@/db/testing/test-server";
import type { Transactions } from "./transactions/transactions";

/** `onceboard/testing`: for the tests of a service that uses Onceboard. */
export interface TestOnceboard {
  /** Address of the database, as its owner. */
  readonly url: string;
  /** As the owner: for tables of the test's own, and for whatever no service may do. */
  readonly pool: Database["pool"];
  /** For `createOnceboard`. */
  readonly secrets: { readonly secret: string; readonly encryptionKeys: string };
  /** Makes leases, windows and waits so much older: no test has to wait for their end. */
  passTime(seconds: number): Promise<void>;
  /**
   * The oracle: each completed operation has its effect once, and there is no other effect.
   *
   * @param effects SQL of the service's own rows, with a column `operation_id`: `select operation_id from orders`
   * @returns a sentence for each violation; empty when all is well
   */
  violations(operation: string, effects: string): Promise<string[]>;
  drop(): Promise<void>;
}

export interface TestOnceboardOptions {
  /** Made in the database; `acme` when left out. */
  readonly tenants?: readonly string[] | undefined;
  /** SQL of the service's own tables. */
  readonly setUp?: string | undefined;
}

/** One PostgreSQL for a run of tests, and any number of empty, migrated databases in it. */
export interface OnceboardTestServer {
  create(options?: TestOnceboardOptions): Promise<TestOnceboard>;
  stop(): Promise<void>;
}

const ENCRYPTION_KEY_BYTES = 32;
const SECRET_BYTES = 24;
const DEFAULT_TENANTS = ["acme"];
/** Our own tables, and nothing of the example. */
const CONTENT: TemplateContent = { modules: [], kinds: [] };

/**
 * Starts a throw-away PostgreSQL, which ends with this process at the latest.
 * @param server address of one that runs already, as a superuser; DATABASE_URL_TEST by default
 */
export async function startOnceboardTests(
  server: string | undefined = process.env["DATABASE_URL_TEST"],
): Promise<OnceboardTestServer> {
  const started = server === undefined || server === "" ? await startTestServer() : undefined;
  const url = started?.url ?? server ?? "";
  await prepareTemplate(url, CONTENT);
  return {
    create: (options) => createTestOnceboard(url, options),
    stop: async () => started?.stop(),
  };
}

async function createTestOnceboard(
  server: string,
  { tenants = DEFAULT_TENANTS, setUp }: TestOnceboardOptions = {},
): Promise<TestOnceboard> {
  const database = await cloneTemplate(server, CONTENT);
  const { url } = database;
  const db = createDatabase({ applicationName: "onceboard test", role: "owner", url });
  const { pool } = db;
  await pool.query({
    text: "insert into onceboard.tenants (id, name) select t, t from unnest($1::text[]) t",
    values: [tenants],
  });
  if (setUp !== undefined) await pool.query({ text: setUp });
  return {
    url,
    pool,
    secrets: {
      secret: randomBytes(SECRET_BYTES).toString("hex"),
      encryptionKeys: `test:${randomBytes(ENCRYPTION_KEY_BYTES).toString("base64")}`,
    },
    passTime: async (seconds) => {
      for (const [table, columns] of Object.entries(DEADLINES)) {
        const moved = columns.map((column) => `${column} = ${column} - make_interval(secs => $1)`);
        await pool.query({ text: `update onceboard.${table} set ${moved.join(", ")}`, values: [seconds] });
      }
    },
    violations: (operation, effects) => findViolations(pool, operation, effects),
    async drop() {
      await db.close();
      await database.drop();
    },
  };
}

/** Until when something holds, or from when on it may happen. */
const DEADLINES: Readonly<Record<string, readonly string[]>> = {
  idempotency_requests: ["expires_at", "purge_after"],
  idempotency_open: ["locked_until", "next_check_at"],
  outbox_messages: ["next_attempt_at", "locked_until"],
  inbox_open: ["next_attempt_at", "locked_until"],
};

async function findViolations(pool: Database["pool"], operation: string, effects: string): Promise<string[]> {
  const { rows } = await pool.query<{ operation_id: string; state: string | null; effects: number }>({
    text: `select coalesce(r.operation_id::text, e.operation_id) as operation_id, r.state, coalesce(e.effects, 0)::int as effects
           from (select operation_id, state from onceboard.idempotency_requests where operation = $1) r
           full join (select operation_id::text, count(*) as effects from (${effects}) own group by 1) e
             on e.operation_id = r.operation_id::text
           where coalesce(e.effects, 0) <> case when r.state = 'COMPLETED' then 1 else 0 end
           order by 1`,
    values: [operation],
  });
  return rows.map((row) => `${row.operation_id}: ${row.state ?? "no operation"}, ${String(row.effects)} effects`);
}

/** Where a service dies: the connection goes, as it does when its process is killed. */
export type OnceCrash =
  /** Nothing of the work is done yet. */
  | "after_claim"
  /** Everything is written and nothing is committed. */
  | "before_commit"
  /** Everything is committed, and nobody was told. */
  | "after_commit";

const KILL = { name: "", text: `select pg_terminate_backend(pg_backend_pid())::text as "row"`, values: [] };
const CLAIM = "onceboard_claim";

/**
 * The same transactions, of which some die.
 * @param at asked for each transaction: where it dies; undefined, and it lives
 */
export function crashing<Tx>(transactions: Transactions<Tx>, at: () => OnceCrash | undefined): Transactions<Tx> {
  const doomed = new WeakMap<object, OnceCrash>();
  return {
    async run(work) {
      const point = at();
      const result = await transactions.run(async (tx) => {
        if (point !== undefined) doomed.set(tx as object, point);
        const done = await work(tx);
        if (point === "before_commit") await transactions.query(tx, KILL);
        return done;
      });
      if (point === "after_commit") throw new Error("Connection terminated unexpectedly");
      return result;
    },
    async query(tx, statement) {
      const rows = await transactions.query(tx, statement);
      if (statement.name === CLAIM && doomed.get(tx as object) === "after_claim") await transactions.query(tx, KILL);
      return rows;
    },
  };
}
