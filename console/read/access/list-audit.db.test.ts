import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { parseAuditFilters } from "@/presentation/filters/parsers";
import type { AuditRow } from "@/presentation/views/audit";
import { foldedAudit, listAudit } from "./list-audit";
import { verifyAudit } from "./verify-audit";

const PLAN = "01a1f41d-635a-7175-b834-688aaec1e627";
let desk: Desk;

/** Appends by the product's own function: `{n}` runs from 1 to `count`. */
const append = (count: number, action: string, subject: string, evidence: string | null, request: string | null) =>
  desk.rows(
    `select onceboard.append_audit('acme', gen_random_uuid(), 'operator', 'op', 'Ada', $2::text, $3::text, $3::text || n, 'why',
       null, '{}', $4::jsonb, $5::text) from generate_series(1, $1::integer) n`,
    count,
    action,
    subject,
    evidence,
    request,
  );

beforeAll(async () => {
  desk = await openDesk();
  await append(60, "policies.write", "policy", null, null);
  await append(1, "plans.run", "plan", null, "req-run");
  await append(100, "outbox.requeue", "outbox", `{"planId": "${PLAN}"}`, "tick-1");
  await append(20, "inbox.requeue", "inbox", `{"planId": "${PLAN}"}`, "tick-2");
  await append(1, "outbox.discard", "outbox", null, "req-one");
  await append(3, "sessions.end", "session", null, "req-three");
});
afterAll(() => desk.close());

interface Read {
  readonly rows: readonly AuditRow[];
  readonly next?: string | undefined;
  readonly previous?: string | undefined;
}
async function folded(search: Readonly<Record<string, string>> = {}, cursor?: string): Promise<Read> {
  const { list } = await foldedAudit(desk.context("auditor"), { filters: parseAuditFilters(search).filters, cursor });
  if (list.kind !== "page") throw new Error("too broad");
  return list;
}
const said = ({ rows }: Read) => rows.map(({ action, fold }) => [action, fold?.entries ?? 1]);

describe("the audit, folded by what caused its entries", () => {
  it("says the entries of a plan or a request on one line, with their count, and leaves others alone", async () => {
    const first = await folded();
    expect(said(first).slice(0, 5)).toEqual([
      ["sessions.end", 3],
      ["outbox.discard", 1],
      ["inbox.requeue", 120],
      ["plans.run", 1],
      ["policies.write", 1],
    ]);
    expect(first.rows[2]?.fold).toMatchObject({
      cause: `plan:${PLAN}`,
      actions: ["inbox.requeue", "outbox.requeue"],
      subjectTypes: ["inbox", "outbox"],
      actors: 1,
      reasons: 1,
      oldest: "62",
    });
    expect(first.rows).toHaveLength(50);
  });

  it("pages over lines: every entry is on exactly one, forward and back", async () => {
    const first = await folded();
    const second = await folded({}, first.next);
    expect(second.next).toBeUndefined();
    const all = [...first.rows, ...second.rows];
    expect(all.reduce((sum, { fold }) => sum + (fold?.entries ?? 1), 0)).toBe(185);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(said(await folded({}, second.previous))).toEqual(said(first));
  });

  it("opens a line to its entries, by an address that the API and the export take as well", async () => {
    const fold = (await folded()).rows[2]?.fold;
    const { cause = "", from = "", to = "" } = fold ?? {};
    const { filters, problems } = parseAuditFilters({ cause, from, to });
    expect(problems).toEqual([]);
    const { list } = await listAudit(desk.context("auditor"), { filters });
    expect(
      list.kind === "page" &&
        list.rows.every(({ fold: none, subjectType }) => none === undefined && subjectType !== "plan"),
    ).toBe(true);
    const opened = await folded({ cause, from, to });
    expect(opened.rows).toHaveLength(50);
    expect(opened.rows.every((row) => row.fold === undefined)).toBe(true);
    const rest = await folded({ cause, from, to }, (await folded({ cause, from, to }, opened.next)).next);
    expect(rest.rows).toHaveLength(20);
    expect(rest.next).toBeUndefined();
  });

  it("leaves the API's list, the export and the chain as they are", async () => {
    const { list } = await listAudit(desk.context("auditor"), { filters: parseAuditFilters({}).filters });
    expect(list.kind === "page" && list.rows.slice(3, 6).map(({ action }) => action)).toEqual([
      "outbox.discard",
      "inbox.requeue",
      "inbox.requeue",
    ]);
    expect(await verifyAudit(desk.context("auditor"))).toMatchObject({ result: "holds", checkedTo: "185" });
  });
});
