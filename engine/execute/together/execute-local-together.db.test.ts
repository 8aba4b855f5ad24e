import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { recordStatements, type Statement } from "@/db/testing/record-statements";
import { AppError } from "@/domain/errors";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";
import type { ExecuteAnswer } from "../answer";
import type { EngineContext } from "../../context";
import { execute } from "../execute";

let env: TestEnvironment;
let taken: () => Statement[];
/** Connections of a second process. */
let other: Database;
beforeAll(async () => {
  env = await createTestEnvironment();
  other = createDatabase({ url: env.url, max: 10 });
  taken = recordStatements(env.db);
  await open("warm-up");
});
afterAll(async () => {
  await other.close();
  await env.close();
});

type Open = TestEnvironment["operations"]["createAccount"];

function open(
  accountId: string,
  options: { readonly key?: string; readonly ctx?: EngineContext; readonly definition?: Open } = {},
): Promise<ExecuteAnswer> {
  const { key = accountId, ctx = env.context(), definition = env.operations.createAccount } = options;
  return execute(ctx, definition, { key, command: { accountId, currency: "EUR" }, receivedAt: performance.now() });
}

const ids = (count: number): string[] => Array.from({ length: count }, () => `acc_${randomUUID()}`);
const outcomes = (answers: readonly ExecuteAnswer[]): string[] => answers.map(({ outcome }) => outcome);
const bodies = (answers: readonly ExecuteAnswer[]): (string | undefined)[] =>
  answers.map((answer) => ("response" in answer ? answer.response.body.toString() : undefined));

/** What one operation of each account left: effects, answers, messages and events. */
const left = (accounts: readonly string[]) =>
  env.rows<{ id: string; keys: bigint; answers: bigint; messages: bigint; events: string[] }>(
    `select a.id, count(distinct r.key) as keys, count(distinct b.operation_id) as answers,
       (select count(*) from (select id from onceboard.outbox_messages where tenant_id = 'acme' and aggregate_id = a.id
          union all select id from onceboard.outbox_history where tenant_id = 'acme' and aggregate_id = a.id) m) as messages,
       array_agg(distinct e.type order by e.type) as events
     from payments.accounts a join onceboard.idempotency_requests r using (tenant_id, operation_id)
     join onceboard.idempotency_bodies b on b.tenant_id = r.tenant_id and b.operation_id = r.operation_id and b.kind = 'response'
     join onceboard.idempotency_events e on e.tenant_id = r.tenant_id and e.operation_id = r.operation_id
     where a.tenant_id = 'acme' and a.id = any($1) and r.state = 'COMPLETED' group by a.id`,
    accounts,
  );
const once = (accounts: readonly string[]) =>
  accounts.map((id) => ({ id, keys: 1n, answers: 1n, messages: 1n, events: ["executed"] }));
const sortById = <Row extends { readonly id: string }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));

const ON_NODES = (process.env["DATABASE_URL_CITUS"] ?? "") !== "";

describe("local operations of the same turn", () => {
  it("TOGETHER-1 share a claim, a completion and a commit; each leaves and answers what it would alone", async () => {
    const accounts = ids(8);
    taken();
    const answers = await Promise.all(accounts.map((id) => open(id)));
    expect(outcomes(answers)).toEqual(accounts.map(() => "executed"));
    const texts = taken().map(({ text }) => text);
    const count = (part: string): number => texts.filter((text) => text.includes(part)).length;
    expect([count("onceboard.claim("), count("onceboard.complete(")]).toEqual([1, 1]);
    expect(texts.filter((text) => text === "commit")).toHaveLength(1);
    expect(count("insert into payments.accounts")).toBe(8);
    expect(sortById(await left(accounts))).toEqual(sortById(once(accounts)));
    expect(bodies(answers).map((body) => (JSON.parse(body ?? "") as { accountId: string }).accountId)).toEqual(
      accounts,
    );
    const replays = await Promise.all(accounts.map((id) => open(id)));
    expect(outcomes(replays)).toEqual(accounts.map(() => "replayed"));
    expect(bodies(replays)).toEqual(bodies(answers));
  });

  it("of one key make one effect, and the others get its answer", async () => {
    const [id = ""] = ids(1);
    const answers = await Promise.all(Array.from({ length: 24 }, () => open(id)));
    expect(outcomes(answers).toSorted()).toEqual(["executed", ...Array.from({ length: 23 }, () => "replayed")]);
    expect(new Set(bodies(answers)).size).toBe(1);
    await env.context().answers.flush();
    expect(await left([id])).toEqual(once([id]).map((row) => ({ ...row, events: ["executed", "replayed"] })));
  });

  it("TOGETHER-5 of two processes in opposite orders, other keys for the same accounts: one of each is opened, one refused", async () => {
    const accounts = ids(12);
    const there = { ...env.context({ instance: "other" }), db: other };
    const answers = await Promise.all([
      ...accounts.map((id) => open(id)),
      ...accounts.toReversed().map((id) => open(id, { key: `other ${id}`, ctx: there })),
    ]);
    const opened = answers.filter((answer) => "response" in answer && answer.response.status === 201);
    const exist = answers.filter((answer) => "response" in answer && answer.errorCode === "account.exists");
    expect([opened.length, exist.length]).toEqual([12, 12]);
    expect(sortById(await left(accounts))).toEqual(sortById(once(accounts)));
  });
});

it("an operation from JavaScript that describes nothing is executed and replayed like any other", async () => {
  const definition: Open = { ...env.operations.createAccount, describe: () => undefined as never };
  const [account = ""] = ids(1);
  expect(outcomes([await open(account, { definition }), await open(account, { definition })])).toEqual([
    "executed",
    "replayed",
  ]);
});

describe("TOGETHER-2 one of a batch that fails", () => {
  /** Fails for one account in the way that is given, and counts how often each was tried. */
  function failing(bad: string, fail: (run: () => Promise<never>) => Promise<never>) {
    const tries = new Map<string, number>();
    const { createAccount } = env.operations;
    const definition: Open = {
      ...createAccount,
      async run(ctx, tx, claim, command) {
        tries.set(command.accountId, (tries.get(command.accountId) ?? 0) + 1);
        if (command.accountId === bad)
          return fail(async () => {
            await tx.query({ text: "select 1/0" });
            throw new Error("not reached");
          });
        return createAccount.run(ctx, tx, claim, command);
      },
    };
    return { definition, tries };
  }

  it.each<[string, (run: () => Promise<never>) => Promise<never>, string]>([
    ["by a refusal", () => Promise.reject(new AppError("account.odd", 422, "No")), "account.odd"],
    ["by an error of the database", (run) => run(), "transient.internal"],
  ])(
    "%s is undone and refused alone; the others are executed once, after one repetition at the most",
    async (_how, fail, code) => {
      const accounts = ids(8);
      const bad = accounts[3] ?? "";
      const good = accounts.filter((id) => id !== bad);
      const { definition, tries } = failing(bad, fail);
      const ends = await Promise.allSettled(accounts.map((id) => open(id, { definition })));
      const refused = ends[3];
      expect(refused).toMatchObject({ status: "rejected" });
      if (refused?.status === "rejected" && code === "account.odd") expect(refused.reason).toMatchObject({ code });
      expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
      expect(sortById(await left(accounts))).toEqual(sortById(once(good)));
      expect(await env.rows("select 1 from onceboard.idempotency_requests where key = $1", bad)).toEqual([]);
      expect(Math.max(...tries.values())).toBeLessThanOrEqual(2);
      // Its operation goes alone for a while: nobody is undone by it again.
      tries.clear();
      await Promise.allSettled([bad, ...ids(5)].map((id) => open(id, { definition })));
      expect([...tries.values()]).toEqual([1, 1, 1, 1, 1, 1]);
    },
  );

  // Citus has no triggers on distributed tables, and this one makes the server slow by a trigger.
  it.skipIf(ON_NODES)(
    "because its server has no time is undone once: its operation goes alone for a while, and none is done twice",
    async () => {
      const fresh = createDatabase({ url: env.url, max: 16 });
      const taken = recordStatements(fresh);
      const ctx = { ...env.context(), db: fresh };
      const batches = (): number => taken().filter(({ text }) => text.includes("with ordinality")).length;
      await env.rows(
        `create function slow_claim() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return new; end $$`,
      );
      await env.rows(
        `create trigger slow_claim before insert on onceboard.idempotency_requests for each row
       when (new.key like 'slow%') execute function slow_claim()`,
      );
      try {
        const slow = ids(6);
        const answers = await Promise.all(slow.map((id) => open(id, { key: `slow ${id}`, ctx })));
        expect(outcomes(answers)).toEqual(slow.map(() => "executed"));
        expect(sortById(await left(slow))).toEqual(sortById(once(slow)));
        expect(batches()).toBe(1);
        await Promise.all(ids(6).map((id) => open(id, { ctx })));
        expect(batches()).toBe(0);
      } finally {
        await env.rows("drop trigger slow_claim on onceboard.idempotency_requests");
        await env.rows("drop function slow_claim()");
        await fresh.close();
      }
    },
  );

  it("TOGETHER-3 by a lost COMMIT tells all of them that nobody knows, and a retry of each gets what stands", async () => {
    // The operation before went alone for a second, by the clock of this process.
    const fresh = createDatabase({ url: env.url, max: 4 });
    try {
      const accounts = ids(6);
      const ctx = { ...env.context(), db: losingCommit(fresh) };
      const ends = await Promise.allSettled(accounts.map((id) => open(id, { ctx })));
      expect(ends.map((end) => end.status === "rejected" && (end.reason as AppError).certainty)).toEqual(
        accounts.map(() => "indefinite"),
      );
      const retried = await Promise.all(accounts.map((id) => open(id)));
      expect(outcomes(retried)).toEqual(accounts.map(() => "replayed"));
      expect(sortById(await left(accounts))).toEqual(sortById(once(accounts)));
    } finally {
      await fresh.close();
    }
  });

  /** A database whose first COMMIT takes effect and loses its acknowledgement. */
  function losingCommit(db: Database): Database {
    let lost = false;
    db.pool.on("connect", (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
      const losing = async (...args: unknown[]): Promise<unknown> => {
        const result = await query(...args);
        if (args[0] !== "commit" || lost) return result;
        lost = true;
        throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
      };
      // Callbacks are the pool's own.
      Object.assign(client, {
        query: (...args: unknown[]) => (typeof args.at(-1) === "function" ? query(...args) : losing(...args)),
      });
    });
    return db;
  }
});
