import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chosenColumns, columnsValue } from "@/presentation/list/columns";
import { keptSearch, searchInput, viewHref, viewPage, VIEW_PAGES, SYSTEM_VIEWS } from "@/presentation/list/saved-view";
import { MAX_AMOUNT_MINOR } from "@/domain/money";
import { PLAN_KINDS, PLAN_STATES } from "@/domain/plans/plan";
import { REQUEUE_VERDICTS } from "@/domain/messages/requeue-verdict";
import { HEAT_COMPARES, HEAT_MEASURES, HEAT_RANGES } from "@/domain/metrics/heatmap";
import { ANSWER_OUTCOMES, INBOX_STATES } from "@/domain/idempotency/states";
import {
  auditSearch,
  conflictSearch,
  deadLetterSearch,
  heatmapSearch,
  inboxSearch,
  operationSearch,
  outboxSearch,
  overviewSearch,
  parseAuditFilters,
  parseConflictFilters,
  parseDeadLetterFilters,
  parseHeatmapFilters,
  parseInboxExportFilters,
  parseInboxFilters,
  parseOperationFilters,
  parseOutboxFilters,
  parseOverviewFilters,
  parsePlanFilters,
  parsePlanItemFilters,
  parseReplayOutcomeFilters,
  parseRetryLogFilters,
  parseRiskFilters,
  planSearch,
  riskSearch,
} from "./parsers";
import { buildSearch, searchWriter, type Parsed, type SearchInput } from "./search";
import { OLDER, RANGES } from "@/domain/lists/window";
import {
  CONFLICT_RANGES,
  GROUP_SORTS,
  BECAME,
  KEY_REUSES,
  OPERATION_MESSAGES,
  OPERATION_SORTS,
  OUTBOX_CARRIERS,
  OUTBOX_TABS,
  PLAN_ITEM_FILTERS,
  SHOWN_STATES,
} from "@/domain/lists/filters";
import { ITEM_TABS } from "@/domain/plans/item-tabs";
import { RISK_RANGES } from "@/domain/metrics/risk";
import { CHART_RANGES } from "@/presentation/views/common";

const text = fc
  .string({ minLength: 1, maxLength: 300, unit: "grapheme" })
  .map((raw) => raw.trim())
  .filter((value) => value.length > 0 && value.length <= 300 && !/[\u0000-\u001f]/.test(value));
const time = fc
  .date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const uuid = fc.uuid();
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
/** In the order that the parsers give them. */
const some = <Value>(values: readonly Value[]) => fc.subarray([...values], { minLength: 0, maxLength: values.length });
const timeWindow = { range: fc.constantFrom(...RANGES), from: maybe(time), to: maybe(time) };
const minor = fc.bigInt({ min: 0n, max: MAX_AMOUNT_MINOR }).map(String);

interface Schema<Filters> {
  readonly arbitrary: fc.Arbitrary<Filters>;
  readonly parse: (search: SearchInput) => Parsed<Filters>;
  readonly build: (filters: Filters) => string;
}

function schema<Filters>(
  name: string,
  parse: Schema<Filters>["parse"],
  build: Schema<Filters>["build"],
  arbitrary: Schema<Filters>["arbitrary"],
): readonly [string, Schema<never>] {
  return [name, { arbitrary, parse, build } as unknown as Schema<never>];
}

const SCHEMAS = [
  schema(
    "operations",
    parseOperationFilters,
    operationSearch,
    fc.record({
      states: some(SHOWN_STATES),
      operation: maybe(text),
      client: maybe(text),
      account: maybe(text),
      answered: maybe(fc.constantFrom(...ANSWER_OUTCOMES)),
      answeredTo: maybe(text),
      became: maybe(fc.constantFrom(...BECAME)),
      reused: maybe(fc.constantFrom(...KEY_REUSES)),
      messages: maybe(fc.constantFrom(...OPERATION_MESSAGES)),
      reference: maybe(text),
      key: maybe(text),
      error: maybe(text),
      currency: fc.constantFrom(undefined, "EUR", "USD", "JPY", "BHD"),
      min: maybe(minor),
      max: maybe(minor),
      attention: fc.boolean(),
      sort: fc.constantFrom(...OPERATION_SORTS),
      direction: fc.constantFrom("asc" as const, "desc" as const),
      ...timeWindow,
    }),
  ),
  schema(
    "outbox",
    parseOutboxFilters,
    outboxSearch,
    fc.record({
      state: fc.constantFrom(...OUTBOX_TABS),
      topic: maybe(text),
      transport: maybe(fc.constantFrom(...OUTBOX_CARRIERS)),
      type: maybe(text),
      aggregate: maybe(text),
      error: maybe(text),
      operationId: maybe(uuid),
      older: maybe(fc.constantFrom(...OLDER)),
      ...timeWindow,
    }),
  ),
  schema(
    "inbox",
    parseInboxFilters,
    inboxSearch,
    fc.record({
      states: some(INBOX_STATES),
      consumer: maybe(text),
      source: maybe(text),
      type: maybe(text),
      messageId: maybe(text),
      error: maybe(text),
      operationId: maybe(uuid),
      older: maybe(fc.constantFrom(...OLDER)),
      failing: fc.boolean(),
      duplicates: fc.boolean(),
      mismatches: fc.boolean(),
      ...timeWindow,
    }),
  ),
  schema(
    "conflicts",
    parseConflictFilters,
    conflictSearch,
    fc.record({
      range: fc.constantFrom(...CONFLICT_RANGES),
      from: maybe(time),
      to: maybe(time),
      conflict: maybe(uuid),
      client: maybe(text),
      operation: maybe(text),
    }),
  ),
  schema(
    "dead letters",
    parseDeadLetterFilters,
    deadLetterSearch,
    fc.record({
      side: fc.constantFrom(undefined, "outbox" as const, "inbox" as const),
      place: maybe(text),
      type: maybe(text),
      error: maybe(text),
      fingerprint: maybe(text),
      operationId: maybe(uuid),
      from: maybe(time),
      to: maybe(time),
      settled: fc.boolean(),
      sort: fc.constantFrom(...GROUP_SORTS),
      all: fc.boolean(),
    }),
  ),
  schema(
    "audit",
    parseAuditFilters,
    auditSearch,
    fc.record({
      chain: maybe(fc.constant("access" as const)),
      action: maybe(text),
      actor: maybe(text),
      subjectType: maybe(text),
      subjectId: maybe(text),
      cause: maybe(text),
      ...timeWindow,
    }),
  ),
  schema(
    "plans",
    parsePlanFilters,
    planSearch,
    fc.record({ state: some(PLAN_STATES), kind: maybe(fc.constantFrom(...PLAN_KINDS)) }),
  ),
  schema(
    "rows of a plan",
    parsePlanItemFilters,
    searchWriter(PLAN_ITEM_FILTERS),
    fc.record({ show: fc.constantFrom(...ITEM_TABS), verdict: maybe(fc.constantFrom(...REQUEUE_VERDICTS)) }),
  ),
  schema(
    "overview",
    parseOverviewFilters,
    overviewSearch,
    fc.record({ range: maybe(fc.constantFrom(...CHART_RANGES)) }),
  ),
  schema(
    "money at risk",
    parseRiskFilters,
    riskSearch,
    fc
      .record({
        range: maybe(fc.constantFrom(...CHART_RANGES)),
        risk: fc.constantFrom(...RISK_RANGES),
        currency: maybe(text),
        window: maybe(fc.tuple(time, time).filter(([from, to]) => from !== to)),
      })
      .map(({ window, ...rest }) => {
        const [from, to] = window === undefined ? [] : [...window].sort();
        return { ...rest, from, to };
      }),
  ),
  schema(
    "clients by time",
    parseHeatmapFilters,
    heatmapSearch,
    fc
      .record({
        show: fc.constantFrom(...HEAT_MEASURES),
        range: fc.constantFrom(...HEAT_RANGES),
        compare: fc.constantFrom(...HEAT_COMPARES),
        find: maybe(text),
        page: maybe(text),
        open: maybe(fc.record({ client: text, cell: time })),
      })
      .map(({ open, ...rest }) => ({ ...rest, ...open })),
  ),
] as const;

const PARSERS: readonly ((search: SearchInput) => Parsed<unknown>)[] = [
  ...SCHEMAS.map(([, { parse }]) => parse),
  parseRetryLogFilters,
  parseReplayOutcomeFilters,
  parseInboxExportFilters,
];
/** Names that mean something somewhere, so that garbage meets every reader. */
const NAMES =
  "state range from to min max currency sort direction attention cursor open dialog columns view side older all failing tenant".split(
    " ",
  );
const garbage = fc.dictionary(
  fc.oneof(fc.constantFrom(...NAMES), fc.string()),
  fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 30 }), fc.constant(undefined)),
);

describe("LIST-1 filters in the address", () => {
  it.each(SCHEMAS)("%s come back as they were", (_name, { arbitrary, parse, build }) => {
    fc.assert(
      fc.property(arbitrary, (filters) => {
        const parsed = parse(searchInput(build(filters)));
        expect(parsed.problems).toEqual([]);
        expect(parsed.filters).toEqual(filters);
        // One form: what is built again is the same text.
        expect(build(parsed.filters)).toBe(build(filters));
      }),
      { numRuns: 300 },
    );
  });

  it("are read whatever stands in it, and what was understood comes back too", () => {
    fc.assert(
      fc.property(garbage, (search) => {
        for (const parse of PARSERS) parse(search);
        for (const [, { parse, build }] of SCHEMAS) {
          const { filters } = parse(search);
          const again = parse(searchInput(build(filters)));
          expect(again.problems).toEqual([]);
          expect(again.filters).toEqual(filters);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("leave out a time that no database reads", () => {
    for (const from of ["0000-01-01", "0001-01-01T00:00:00+05:00", "9999-12-31T23:00:00-05:00"])
      expect(parseConflictFilters({ from })).toMatchObject({
        filters: { from: undefined },
        problems: [{ name: "from" }],
      });
  });

  it("carry the cursor beside them", () => {
    fc.assert(
      fc.property(fc.base64String({ minLength: 4 }), (cursor) => {
        const query = searchInput(operationSearch(parseOperationFilters({ state: "STALE" }).filters, cursor));
        expect(parseOperationFilters(query)).toMatchObject({ cursor, filters: { states: ["STALE"] } });
      }),
    );
  });
});

describe("LIST-5 views", () => {
  it("keep filters, order and columns in one form, and nothing else", () => {
    fc.assert(
      fc.property(fc.constantFrom(...VIEW_PAGES), garbage, (page, search) => {
        const kept = keptSearch(page, search);
        const again = keptSearch(page, searchInput(kept.search));
        expect(again).toEqual({ search: kept.search, problems: [] });
        const names = [...new URLSearchParams(kept.search).keys()];
        for (const name of ["cursor", "open", "row", "dialog", "view", "tenant", "conflict"])
          expect(names).not.toContain(name);
      }),
    );
  });

  it("lead to the list as they keep it", () => {
    const view = { page: "operations", id: "v1", search: keptSearch("operations", { state: "STALE" }).search } as const;
    expect(viewHref(view)).toBe("/operations?state=STALE&view=v1");
    expect(keptSearch("operations", searchInput(viewHref(view).split("?")[1] ?? "")).search).toBe(view.search);
  });

  it("that are built in are understood by their lists", () => {
    for (const { href } of Object.values(SYSTEM_VIEWS).flat()) {
      const [path = "", query = ""] = href.split("?");
      const page = VIEW_PAGES.find((name) => viewPage(name).path === path);
      expect(page, href).toBeDefined();
      if (page === undefined) continue;
      const { search, problems } = keptSearch(page, searchInput(query));
      expect(problems, href).toEqual([]);
      expect(search, href).toBe(buildSearch(searchInput(query) as Readonly<Record<string, string>>));
    }
  });
});

const COLUMNS = [
  { id: "state" },
  { id: "client", choice: "off" },
  { id: "amount", choice: "on" },
  { id: "chain", choice: "on" },
] as const;

describe("LIST-1 columns in the address", () => {
  const ids = (asked: string | undefined) => chosenColumns(COLUMNS, asked).map(({ id }) => id);
  it("are the standard ones without it, with garbage and with columns of another list", () => {
    for (const asked of [undefined, "", ",,", "nothing", "topic,lag"])
      expect(ids(asked), asked).toEqual(["state", "amount", "chain"]);
  });
  it("are what is named, in the order of the list; the fixed ones stay", () => {
    expect(ids("chain,client,topic")).toEqual(["state", "client", "chain"]);
    expect(ids("none")).toEqual(["state"]);
  });
  it("come back from what is written", () => {
    fc.assert(
      fc.property(fc.subarray(["client", "amount", "chain"]), (shown) => {
        const value = columnsValue(COLUMNS, new Set(shown));
        expect(ids(value)).toEqual(["state", ...COLUMNS.map(({ id }) => id).filter((id) => shown.includes(id))]);
        expect(value === undefined).toBe(shown.join() === "amount,chain");
      }),
    );
  });
});
