import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCAN_LIMIT } from "@/db/paging";
import { parseInboxFilters, parseOperationFilters, parseOutboxFilters } from "@/presentation/filters/parsers";
import type { SearchInput } from "@/presentation/filters/search";
import type { Listed } from "@/presentation/views/common";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { listInbox, listOutbox } from "./messages/list-messages";
import { listOperations } from "./operations/list-operations";

/** More than two looks. */
const ROWS = 2 * SCAN_LIMIT + 500;
/** The oldest and the newest of every list are the rare ones. */
const RARE = `n in (1, 2, ${String(ROWS)})`;

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  const rows = `(select n, now() - interval '20 hours' + make_interval(secs => n * 3) as at, md5('o' || n)::uuid as id from generate_series(1, ${String(ROWS)}) n) t`;
  await desk.rows(`insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
      state, error_code, body_day, amount_minor, currency, created_at, updated_at, expires_at, purge_after)
    select 'acme', 'o', 'k' || n, id, 'till', 'f', 1, '1', 'COMPLETED', case when ${RARE} then 'rare' end, current_date, case when n % 2 = 0 then n end, 'EUR',
      at, at, at + interval '1 day', at + interval '9 days' from ${rows}`);
  await desk.rows(`insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, state, received_at, processed_at)
    select 'acme', id, 'ledger', 's', 'm' || n, case when ${RARE} then 'rare' else 't' end, '{}', '\\x00', 'processed', at, at from ${rows}`);
  await desk.rows(`insert into onceboard.outbox_history (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, day, position, published_at)
    select 'acme', id, 'payment', 'p' || n, 'payments', case when ${RARE} then 'rare' else 't' end, '{}', at, current_date, -n, at from ${rows}`);
});
afterAll(() => desk.close());

const LISTS: Readonly<Record<string, (search: SearchInput, cursor?: string) => Promise<Listed<unknown>>>> = {
  operations: (search, cursor) =>
    listOperations(desk.context(), { filters: parseOperationFilters({ error: "rare", ...search }).filters, cursor }),
  inbox: async (search, cursor) =>
    (await listInbox(desk.context(), { filters: parseInboxFilters({ type: "rare", ...search }).filters, cursor })).list,
  outbox: async (search, cursor) =>
    (
      await listOutbox(desk.context(), {
        filters: parseOutboxFilters({ state: "published", type: "rare", ...search }).filters,
        cursor,
      })
    ).list,
};

async function page(list: string, cursor?: string, search: SearchInput = {}) {
  const read = await LISTS[list]?.(search, cursor);
  if (read?.kind !== "page") throw new Error("not a page");
  return read;
}

describe("a page whose filters have no index looks at so many rows and goes on when asked (LIST-3)", () => {
  it.each(Object.keys(LISTS))("%s, to the end and back", async (list) => {
    const first = await page(list);
    expect(first.rows).toHaveLength(1);
    expect(first.looked).toMatchObject({ rows: SCAN_LIMIT, further: first.next });
    const second = await page(list, first.next);
    expect(second.rows).toEqual([]);
    expect(second.looked?.until).toMatch(/^\d{4}-/);
    const third = await page(list, second.next);
    expect(third.rows).toHaveLength(2);
    expect(third).not.toHaveProperty("looked");
    expect(third.next).toBeUndefined();
    const back = await page(list, third.previous);
    expect(back.rows).toEqual([]);
    expect(back.looked?.further).toBe(back.previous);
    const again = await page(list, back.previous);
    const whole = again.looked === undefined ? again : await page(list, again.previous);
    expect(whole.rows).toHaveLength(1);
  });

  it("says nothing of it where the window was looked at whole", async () => {
    expect(await page("operations", undefined, { range: "1h" })).not.toHaveProperty("looked");
  });

  it("sorts by amount what has one, and goes on from an amount", async () => {
    const first = await page("operations", undefined, { sort: "amount" });
    expect(first.looked).toMatchObject({ until: String(ROWS - 2 * (SCAN_LIMIT - 1)) });
    const second = await page("operations", first.next, { sort: "amount" });
    expect(second.rows).toHaveLength(1);
    expect(second.next).toBeUndefined();
  });
});
