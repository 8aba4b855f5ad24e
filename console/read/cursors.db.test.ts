import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  parseAuditFilters,
  parseDeadLetterFilters,
  parseInboxFilters,
  parseOperationFilters,
  parseOutboxFilters,
  parsePlanFilters,
} from "@/presentation/filters/parsers";
import type { Listed } from "@/presentation/views/common";
import { listPlans } from "@/console/plans/list-plans";
import { fillLists, LIST_ROWS } from "@/console/testing/fill-lists";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { listAttention } from "./operations/list-attention";
import { listAudit } from "./access/list-audit";
import { listDeadLetters } from "./messages/list-dead-letters";
import { listInbox, listOutbox } from "./messages/list-messages";
import { listOperations } from "./operations/list-operations";
import { listRetentionRuns } from "./deployment/read-retention";
import { decodeCursor, encodeCursor } from "@/domain/lists/cursor";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  await fillLists(desk);
});
afterAll(() => desk.close());

type Read = (cursor?: string) => Promise<Listed<object>>;
const ctx = () => desk.context("admin");
const operations = (search: Readonly<Record<string, string>>): Read => {
  const { filters } = parseOperationFilters(search);
  return (cursor) => listOperations(ctx(), { filters, cursor });
};
const outbox = (state: string): Read => {
  const { filters } = parseOutboxFilters({ state });
  return async (cursor) => (await listOutbox(ctx(), { filters, cursor })).list;
};

/** Every list verb with its orders, and the sort that its cursors are of. */
const LISTS: readonly (readonly [name: string, sort: string, read: Read])[] = [
  ["operations, newest first", "created:desc", operations({})],
  ["operations, oldest first", "created:asc", operations({ direction: "asc" })],
  ["operations by amount", "amount:desc", operations({ sort: "amount" })],
  ["operations by expiry", "expires:desc", operations({ sort: "expires" })],
  ["operations, only unknown", "created:desc", operations({ state: "UNKNOWN_REQUIRES_RECOVERY" })],
  ["attention", "weight", async (cursor) => (await listAttention(ctx(), { cursor })).list],
  ["outbox, open", "open", outbox("open")],
  ["outbox, published", "published", outbox("published")],
  [
    "inbox",
    "received",
    async (cursor) => (await listInbox(ctx(), { filters: parseInboxFilters({}).filters, cursor })).list,
  ],
  [
    "dead letters",
    "dead",
    async (cursor) => {
      const view = await listDeadLetters(ctx(), { filters: parseDeadLetterFilters({}).filters, cursor });
      return { kind: "page", ...view.rows };
    },
  ],
  [
    "plans",
    "created",
    async (cursor) => (await listPlans(ctx(), { filters: parsePlanFilters({}).filters, cursor })).list,
  ],
  ["retention runs", "runs", async (cursor) => ({ kind: "page", ...(await listRetentionRuns(ctx(), { cursor })) })],
  [
    "audit",
    "audit",
    async (cursor) => {
      const { filters } = parseAuditFilters({ action: "test.filled" });
      return (await listAudit(ctx(), { filters, cursor })).list;
    },
  ],
];

async function pageOf(read: Read, cursor?: string) {
  const page = await read(cursor);
  if (page.kind !== "page") throw new Error("too broad");
  return page;
}

const UUID = "018f9b7e-0000-7000-8000-000000000001";
const MOMENT = "2026-11-01T10:00:00.000000Z";
/** Values and ids that fit one of the sorts each, and those that fit none. */
const FITTING = { values: [MOMENT, "4711", `17@${MOMENT}`], ids: [UUID, "4711", "run-1"] };
const UNREADABLE = [
  "",
  "x",
  "\u0000",
  `${MOMENT}\u0000`,
  "a\ud800",
  "\u202e",
  "9".repeat(19),
  "1e9",
  "NaN",
  "Infinity",
  "'; select 1",
  "99999-01-01T00:00:00.000000Z",
  "0000-01-01T00:00:00.000000Z",
  "2026-13-01T00:00:00.000000Z",
  "2026-02-31T00:00:00.000000Z",
  "2026-11-01T24:00:00.000000Z",
  "2026-11-01T10:00:60.000000Z",
  "2026-11-01T10:00:00Z",
  "infinity",
  "17@99999-01-01T00:00:00.000000Z",
  "17@2026-02-31T00:00:00.000000Z",
  `${"9".repeat(19)}@${MOMENT}`,
  "018f9b7e-0000-7000-8000-00000000000g",
] as const;

function idOf(row: object): string {
  const { operationId, id } = row as { readonly operationId?: string; readonly id?: string };
  // A message may tell of an operation: its own id names the row.
  return id ?? operationId ?? "";
}

describe("LIST-2 keyset cursors among rows of one millisecond", () => {
  it.each(LISTS)(
    "%s: every row once on the way there, and the same pages on the way back",
    async (_name, sort, read) => {
      const there: string[][] = [];
      let page = await pageOf(read);
      for (;;) {
        there.push(page.rows.map(idOf));
        if (page.next === undefined) break;
        expect(decodeCursor(page.next, sort)).toBeDefined();
        page = await pageOf(read, page.next);
      }
      expect(there.flat()).toHaveLength(LIST_ROWS);
      expect(new Set(there.flat()).size).toBe(LIST_ROWS);
      expect(there.length).toBeGreaterThan(1);
      for (const expected of there.slice(0, -1).reverse()) {
        expect(page.previous).toBeDefined();
        page = await pageOf(read, page.previous);
        expect(page.rows.map(idOf)).toEqual(expected);
      }
      expect(page.previous).toBeUndefined();
    },
  );

  it.each(LISTS)("%s: one that no database reads is refused before it is asked", async (_name, sort, read) => {
    const made = UNREADABLE.flatMap((part) => [
      // As the id it may be one: a text is all that such a list knows.
      ...FITTING.ids.map((id) => encodeCursor({ sort, direction: "next", value: part, id })),
      ...FITTING.values.map((value) => encodeCursor({ sort, direction: "previous", value, id: `\u0000${part}` })),
    ]);
    const foreign = encodeCursor({ sort: "other", direction: "next", value: MOMENT, id: UUID });
    for (const cursor of [...made, foreign, "!", "abc", "W10", "x".repeat(601)])
      await expect(read(cursor), cursor).rejects.toMatchObject({ code: "validation.cursor", status: 400 });
  });

  it("carry times as text with microseconds, and the id", async () => {
    const page = await pageOf(operations({}));
    const cursor = decodeCursor(page.next, "created:desc");
    expect(cursor?.value).toMatch(/T\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(cursor?.id).toBe(idOf(page.rows.at(-1) ?? {}));
  });
});
