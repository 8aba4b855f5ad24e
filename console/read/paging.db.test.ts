import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseInboxFilters, parseOperationFilters } from "@/presentation/filters/parsers";
import type { SearchInput } from "@/presentation/filters/search";
import { selectAttention } from "@/db/operations/select-attention";
import { selectConflictGroups } from "@/db/conflicts/select-conflict-groups";
import { selectInbox, selectInboxFollowers, selectInboxLeads } from "@/db/inbox/select-inbox";
import { selectOpenCounts } from "@/db/metrics/counts";
import { selectOperations } from "@/db/operations/select-operations";
import { selectOperationSparklines } from "@/db/operations/select-operation-sparklines";
import type { Queryable } from "@/db/client";
import { listOperations } from "./operations/list-operations";
import { openDesk, type Desk } from "@/console/testing/read-desk";

const ROWS = 5_000;
/** Rows that share one microsecond, so that only the tie-breaker tells them apart. */
const TIED = 130;
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
  await desk.rows(
    `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
       state, body_day, account_id, amount_minor, currency, created_at, updated_at, expires_at, purge_after)
     select case when n % 5 = 0 then 'globex' else 'acme' end, 'payments.create', 'key-' || n, gen_random_uuid(), 'till-web', '\\x00', 1, '1', 'COMPLETED',
       current_date, 'acc_' || n % 50, n % 700, 'EUR', case when n <= $2 then now() - interval '1 hour' else now() - make_interval(secs => n) end,
       now(), now() + interval '1 day', now() + interval '30 days'
     from generate_series(1, $1) n`,
    ROWS,
    TIED,
  );
  await desk.rows(
    `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at, state)
     select 'acme', gen_random_uuid(), 'ledger', 'onceboard', 'msg-' || n, 'payment.succeeded', '{}', '\\x00', now() - make_interval(secs => n), 'processed'
     from generate_series(1, $1) n`,
    ROWS,
  );
  await desk.rows(
    `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome, client)
     select 'acme', (now() at time zone 'utc')::date, gen_random_uuid(), r.operation_id, 'payments.create', now(), 'executed', 'executed', 'till-web'
     from onceboard.idempotency_requests r where r.tenant_id = 'acme'`,
  );
  await desk.make.unknown();
  await desk.rows("analyze");
});
afterAll(() => desk.close());

async function walk(search: SearchInput): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listOperations(desk.context(), { filters: parseOperationFilters(search).filters, cursor });
    if (page.kind !== "page") throw new Error("too broad");
    ids.push(...page.rows.map((row) => row.operationId));
    cursor = page.next;
  } while (cursor !== undefined);
  return ids;
}

describe("keyset paging", () => {
  it.each([{}, { sort: "amount" }, { sort: "amount", direction: "asc" }, { sort: "expires" }])(
    "shows every row once: %o",
    async (search) => {
      const ids = await walk({ ...search, max: "0.99", min: "0.01" });
      const [count] = await desk.rows<{ n: number }>(
        "select count(*)::int as n from onceboard.idempotency_requests where tenant_id = 'acme' and amount_minor between 1 and 99",
      );
      expect(ids).toHaveLength(count?.n ?? -1);
      expect(new Set(ids).size).toBe(ids.length);
    },
  );
  it.each([
    ["desc", "desc"],
    ["asc", "asc"],
  ])(
    "lists what has one amount by its time, %s, and leaves none out when the row of a cursor is gone",
    async (direction, order) => {
      await desk.rows(
        `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
         state, body_day, amount_minor, currency, created_at, updated_at, expires_at, purge_after)
       select 'acme', 'payments.create', 'price-' || $1 || n, gen_random_uuid(), 'till-web', '\\x00', 1, '1', 'COMPLETED', current_date, 99900, 'EUR',
         now() - make_interval(mins => n), now(), now() + interval '1 day', now() + interval '30 days' from generate_series(1, 120) n`,
        direction,
      );
      const filters = parseOperationFilters({ sort: "amount", direction, min: "999", max: "999" }).filters;
      const expected = await desk.rows<{ id: string }>(
        `select operation_id as id from onceboard.idempotency_requests where tenant_id = 'acme' and amount_minor = 99900 order by created_at ${order}, operation_id ${order}`,
      );
      const first = await listOperations(desk.context(), { filters });
      if (first.kind !== "page") throw new Error("too broad");
      const ids = first.rows.map((row) => row.operationId);
      expect(ids).toEqual(expected.slice(0, ids.length).map(({ id }) => id));
      const second = await listOperations(desk.context(), { filters, cursor: first.next });
      if (second.kind !== "page") throw new Error("too broad");
      expect(second.rows[0]?.operationId).toBe(expected[ids.length]?.id);
      await desk.rows("delete from onceboard.idempotency_requests where operation_id = $1", ids.at(-1));
      const again = await listOperations(desk.context(), { filters, cursor: first.next });
      if (again.kind !== "page") throw new Error("too broad");
      expect(again.rows[0]?.operationId).toBe(expected[0]?.id);
      await desk.rows("delete from onceboard.idempotency_requests where amount_minor = 99900");
    },
  );
  it("comes back to the same page, also among rows of one microsecond", async () => {
    const filters = parseOperationFilters({ from: "2020-01-01" }).filters;
    const first = await listOperations(desk.context(), { filters });
    const second = await listOperations(desk.context(), {
      filters,
      cursor: first.kind === "page" ? first.next : undefined,
    });
    const back = await listOperations(desk.context(), {
      filters,
      cursor: second.kind === "page" ? second.previous : undefined,
    });
    if (first.kind !== "page" || back.kind !== "page") throw new Error("too broad");
    expect(back.rows.map((row) => row.operationId)).toEqual(first.rows.map((row) => row.operationId));
    expect(back.previous).toBeUndefined();
  });
  it("refuses a cursor that was made up", async () => {
    const list = listOperations(desk.context(), {
      filters: parseOperationFilters({}).filters,
      cursor: "bm90IGEgY3Vyc29y",
    });
    await expect(list).rejects.toMatchObject({ code: "validation.cursor", status: 400 });
  });
});

/** Plans of the statements that a read sends, instead of their rows. */
async function plansOf(read: (q: Queryable) => Promise<unknown>): Promise<string> {
  const plans: string[] = [];
  await read({
    async query<R>(config: { text: string; values?: unknown[] }) {
      expect(config.text).not.toMatch(/\boffset\b/i);
      const rows = await desk.rows<{ "QUERY PLAN": string }>(`explain ${config.text}`, ...(config.values ?? []));
      plans.push(...rows.map((row) => row["QUERY PLAN"]));
      return { rows: [] as R[], rowCount: 0 };
    },
  }).catch(() => undefined);
  return plans.join("\n");
}

const page = { limit: 50, direction: "desc" } as const;
const NOW = new Date().toISOString();
const TODAY = NOW.slice(0, 10).replaceAll("-", "");
/** Tables that hold thousands of rows here; the partitions of other days are empty. */
const BIG = new RegExp(`Seq Scan on (idempotency_requests|idempotency_events_${TODAY}|inbox_messages)`);

describe("plans", () => {
  it("walk an index, never a big table", async () => {
    const ids = await desk.rows<{ id: string }>(
      "select operation_id as id from onceboard.idempotency_requests where tenant_id = 'acme' limit 50",
    );
    const reads: Record<string, (q: Queryable) => Promise<unknown>> = {
      operations: (q) => selectOperations(q, "acme", parseOperationFilters({ range: "1h" }).filters, page),
      next: (q) =>
        selectOperations(q, "acme", parseOperationFilters({}).filters, {
          ...page,
          cursor: { sort: "created:desc", direction: "next", value: new Date().toISOString(), id: ids[0]?.id ?? "" },
        }),
      stale: (q) => selectOperations(q, "acme", parseOperationFilters({ state: "STALE" }).filters, page),
      strips: (q) =>
        selectOperationSparklines(
          q,
          "acme",
          ids.map((row) => row.id),
          new Date().toISOString(),
        ),
      attention: (q) => selectAttention(q, "acme", { limit: 50, asOf: new Date().toISOString() }),
      inbox: (q) => selectInbox(q, "acme", parseInboxFilters({}).filters, page),
      inboxLeads: (q) => selectInboxLeads(q, "acme", parseInboxFilters({}).filters, page),
      inboxFollowers: (q) =>
        selectInboxFollowers(
          q,
          "acme",
          parseInboxFilters({}).filters,
          ids.map(({ id }) => ({ id, messageId: "msg-1", source: "onceboard" })),
        ),
      conflicts: (q) => selectConflictGroups(q, "acme", { from: NOW, until: NOW, open: true }, {}),
      counts: (q) => selectOpenCounts(q, "acme"),
    };
    for (const [name, read] of Object.entries(reads)) {
      const plan = await plansOf(read);
      expect(plan, name).not.toBe("");
      expect(plan, `${name}\n${plan}`).not.toMatch(BIG);
    }
  });
  it("puts values beside the text, never into it", async () => {
    const key = "'; drop table onceboard.tenants; --";
    const sent: { text: string; values?: unknown[] }[] = [];
    const q = {
      query: (config: (typeof sent)[number]) => (sent.push(config), Promise.resolve({ rows: [], rowCount: 0 })),
    };
    await selectOperations(q, "acme", parseOperationFilters({ key }).filters, page);
    expect(sent[0]?.values).toContain(key);
    expect(sent[0]?.text).not.toContain("drop table");
  });
});
