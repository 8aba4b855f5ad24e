import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  parseAuditFilters,
  parseConflictFilters,
  parseDeadLetterFilters,
  parseInboxFilters,
  parseOperationFilters,
  parseOutboxFilters,
  parsePlanFilters,
} from "@/presentation/filters/parsers";
import { fieldsOf } from "@/presentation/list/columns";
import { LISTS } from "@/presentation/list/lists";
import type { ListPage } from "@/presentation/list/saved-view";
import type { ExportFormat } from "@/presentation/list/export-writer";
import type { Role } from "@/domain/idempotency/states";
import type { Opening } from "@/engine/messages/sealed-message";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { fillLists, LIST_ROWS } from "@/console/testing/fill-lists";
import type { ExportFile } from "./export-file";
import { exportList, type ListExportRequest } from "./export-list";
import { deadLettersSource, inboxSource, outboxSource } from "./lists/messages-source";
import { attentionSource, operationsSource } from "./lists/operations-source";
import { auditSource, conflictsSource, plansSource } from "./lists/records-source";

const SMALL = { pageRows: 7, maxRows: 10_000 };
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  await fillLists(desk);
});
afterAll(() => desk.close());

async function text({ chunks }: ExportFile): Promise<string> {
  const parts: string[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return parts.join("");
}

const operations = (limits = SMALL, format: ExportFormat = "json", role: Role = "viewer") => {
  const { filters } = parseOperationFilters({ range: "all" });
  const source = operationsSource("acme", filters);
  return exportList(desk.context(role), { list: "operations", format, filters, source }, limits);
};

interface File {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly count: number;
  readonly cut: boolean;
}

/** The keys are there once the desk is. */
const READER: Opening = {
  tenantId: "acme",
  get keyring() {
    return desk.context("viewer").keyring;
  },
};

describe("EXPORT-3 exports of lists", () => {
  it.each([
    ["operations", operationsSource("acme", parseOperationFilters({ range: "all" }).filters)],
    ["operations", operationsSource("acme", parseOperationFilters({ range: "all", sort: "amount" }).filters)],
    ["attention", attentionSource("acme")],
    ["conflicts", conflictsSource("acme", parseConflictFilters({}).filters)],
    ["outbox", outboxSource(READER, parseOutboxFilters({}).filters, "http")],
    ["outbox", outboxSource(READER, parseOutboxFilters({ state: "published" }).filters, "http")],
    ["inbox", inboxSource(READER, parseInboxFilters({}).filters)],
    ["dead-letters", deadLettersSource(READER, parseDeadLetterFilters({}).filters)],
    ["plans", plansSource("acme", parsePlanFilters({}).filters)],
    ["audit", auditSource("acme", parseAuditFilters({ action: "test.filled" }).filters)],
  ] as const)("hold every row of %s once, whatever the size of a page", async (list, source) => {
    const request = { list, format: "json", filters: {}, source } as ListExportRequest<ListPage>;
    const taken = await exportList(desk.context("admin"), request, SMALL);
    const file = JSON.parse(await text(taken)) as File;
    const [first = ""] = fieldsOf(LISTS[list]);
    expect(file).toMatchObject({ count: LIST_ROWS, cut: false });
    expect(new Set(file.rows.map((row) => row[first])).size).toBe(LIST_ROWS);
    // What the list may show is in its files, under the one declaration.
    expect(Object.keys(file.rows[0] ?? {})).toEqual(fieldsOf(LISTS[list]));
  });

  it.each(["csv", "json", "ndjson"] as const)(
    "hold the columns that are asked for, in the list's order, as %s",
    async (format) => {
      const { filters } = parseOperationFilters({ range: "all" });
      const taken = await exportList(
        desk.context(),
        {
          list: "operations",
          format,
          filters,
          columns: ["age", "amount", "answers"],
          source: operationsSource("acme", filters),
        },
        { pageRows: 7, maxRows: 2 },
      );
      const fields = ["operation_id", "amount", "currency", "requests", "answers", "created_at"];
      const file = await text(taken);
      if (format === "csv") {
        const lines = file.trimEnd().split("\r\n");
        expect(lines[0]).toBe(fields.join(","));
        expect(lines[1]).toMatch(/^[0-9a-f-]{36},10\.00,EUR,1,conflict,2/);
      } else {
        const row: unknown =
          format === "json" ? (JSON.parse(file) as File).rows[0] : JSON.parse(file.split("\n")[0] ?? "");
        expect(Object.keys(row ?? {})).toEqual(fields);
        expect(row).toMatchObject({ amount: "10.00", currency: "EUR", requests: 1, answers: "conflict" });
      }
      const [entry] = await desk.rows(
        "select evidence from onceboard.audit_entries where action = 'exports.operations' order by sequence desc limit 1",
      );
      expect(entry).toMatchObject({ evidence: { columns: fields } });
    },
  );

  it("say what is safe to do, and what the queue knows, where a file wants it", async () => {
    const first = async <Page extends ListPage>(
      list: Page,
      source: ListExportRequest<Page>["source"],
      columns: readonly string[],
    ) => {
      const request = { list, format: "json", filters: {}, columns, source } as const;
      const taken = await exportList(desk.context(), request, { pageRows: 7, maxRows: 1 });
      return (JSON.parse(await text(taken)) as File).rows[0];
    };
    const outbox = outboxSource(READER, parseOutboxFilters({}).filters, "http");
    expect(await first("outbox", outbox, ["safe"])).toMatchObject({
      verdict: "safe",
      safe_to_act: "Safe. No consumer has this id.",
    });
    const queue = await first("attention", attentionSource("acme"), ["known", "chain"]);
    expect(queue?.["chain"]).toBe(
      "key done, operation done, provider unknown, outbox missing, inbox missing, ledger missing",
    );
    expect(queue?.["known"]).toMatch(/\w/);
  });

  it("say in their last line that they were cut, in every format", async () => {
    const few = { pageRows: 4, maxRows: 10 };
    const csv = (await text(await operations(few, "csv"))).trimEnd().split("\r\n");
    expect(csv).toHaveLength(12);
    expect(csv.at(-1)).toBe(`cut after 10 rows: narrow the filters${",".repeat(14)}`);
    const lines = (await text(await operations(few, "ndjson"))).trimEnd().split("\n");
    expect(lines).toHaveLength(11);
    expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ cut: "cut after 10 rows: narrow the filters" });
    expect(JSON.parse(await text(await operations(few)))).toMatchObject({ count: 10, cut: true });
    // Exactly as many as there may be are whole.
    const whole = await text(await operations({ pageRows: 50, maxRows: LIST_ROWS }));
    expect(JSON.parse(whole)).toMatchObject({ count: LIST_ROWS, cut: false });
  });

  it("EXPORT-4 are written down before the first byte, hold no body, and need the role of their list", async () => {
    await operations(SMALL, "csv");
    const [entry] = await desk.rows(
      "select action, after, evidence from onceboard.audit_entries where action like 'exports.%' order by sequence desc limit 1",
    );
    expect(entry).toMatchObject({
      action: "exports.operations",
      after: { format: "csv", atMost: SMALL.maxRows },
      evidence: {
        filters: { range: "all" },
        columns: fieldsOf(LISTS.operations),
      },
    });
    const fields = Object.values(LISTS).flatMap((list) => fieldsOf(list));
    expect(fields.filter((field) => /body|payload|command|response|content/.test(field))).toEqual([]);
    const { filters } = parseAuditFilters({});
    const audit = (role: Role) =>
      exportList(desk.context(role), { list: "audit", format: "csv", filters, source: auditSource("acme", filters) });
    await expect(audit("viewer")).rejects.toMatchObject({ status: 403, code: "auth.forbidden" });
    await expect(audit("auditor")).resolves.toBeDefined();
  });

  it("read no page that nobody takes", async () => {
    const iterator = (await operations(SMALL, "csv")).chunks[Symbol.asyncIterator]();
    await iterator.next();
    expect(String((await iterator.next()).value).split("\r\n")).toHaveLength(SMALL.pageRows + 1);
    await iterator.return?.();
    expect((await iterator.next()).done).toBe(true);
  });
});
