import { describe, expect, it } from "vitest";
import {
  parseClientFilters,
  parseConflictFilters,
  parseDeadLetterFilters,
  parseInboxFilters,
  parseOperationFilters,
  parseOutboxFilters,
} from "../filters/parsers";
import { parserOf, type Parsed, type SearchInput } from "../filters/search";
import { chargesReplayed, MEASURE_FACTS } from "./measure-facts";
import { groupOfLine, lineAt, listHref, listLabel, NO_CLIENT, REST_SLOT } from "./measure-links";
import { searchInput } from "../list/saved-view";
import { MEASURES, type MeasureName } from "../views/metrics";

const WINDOW = { from: "2026-11-19T14:02:00.000Z", to: "2026-11-19T14:03:00.000Z" };
const TIME = "from=2026-11-19T14%3A02%3A00Z&to=2026-11-19T14%3A03%3A00Z";
const CLIENT = { by: "client", name: "till & co" } as const;
const OPERATION = { by: "operation", name: "refunds.create" } as const;

/** Of one point: its list, that of the point of one client, and of one operation; `null`: the list knows no such group. */
const LINKS: Readonly<Record<MeasureName, readonly [string, string | null, string | null]>> = {
  executed: operations("answered=executed&"),
  first_answer: operations("answered=executed&"),
  replayed: operations("answered=replayed&"),
  in_progress: operations("answered=in_progress&"),
  latency: operations(""),
  replay_latency: operations("answered=replayed&"),
  retry_delay: operations(""),
  replay_ratio: operations("answered=replayed&"),
  expired_retry: operations("answered=expired_retry&"),
  unknown: [
    `/operations?became=unknown&${TIME}`,
    `/operations?became=unknown&answeredTo=till+%26+co&${TIME}`,
    `/operations?became=unknown&operation=refunds.create&${TIME}`,
  ],
  suppressed: [
    `/operations?operation=payments.create&answered=replayed&${TIME}`,
    `/operations?operation=payments.create&answered=replayed&client=till+%26+co&${TIME}`,
    `/operations?operation=refunds.create&answered=replayed&${TIME}`,
  ],
  conflict: lists("/conflicts", ""),
  conflict_rate: lists("/conflicts", ""),
  reuse_distance: ["/clients", null, null],
  oldest_in_progress: ["/attention", null, null],
  open: ["/attention", null, null],
  oldest_outbox: [`/outbox?state=published&${TIME}`, null, null],
  oldest_inbox: [`/inbox?${TIME}`, null, null],
  dead_letters: [`/dead-letters?${TIME}`, null, null],
};

function operations(search: string): readonly [string, string, string] {
  return lists("/operations", search);
}
function lists(path: string, search: string): readonly [string, string, string] {
  return [
    `${path}?${search}${TIME}`,
    `${path}?${search}client=till+%26+co&${TIME}`,
    `${path}?${search}operation=refunds.create&${TIME}`,
  ];
}

const PARSERS: Readonly<Record<string, (search: SearchInput) => Parsed<unknown>>> = {
  "/operations": parseOperationFilters,
  "/conflicts": parseConflictFilters,
  "/outbox": parseOutboxFilters,
  "/inbox": parseInboxFilters,
  "/dead-letters": parseDeadLetterFilters,
  "/clients": parseClientFilters,
  "/attention": parserOf({}),
};

describe("CHART-3 from a point to its list", () => {
  it.each(MEASURES)("%s opens exactly its time and its group, in the list's own words", (name) => {
    const list = name === "suppressed" ? chargesReplayed(["payments.create"]) : MEASURE_FACTS[name].list;
    const [plain, client, operation] = LINKS[name];
    for (const [group, href] of [
      [undefined, plain],
      [CLIENT, client ?? plain],
      [OPERATION, operation ?? plain],
    ] as const) {
      expect(listHref(list, WINDOW, group)).toBe(href);
      const [path = "", query = ""] = href.split("?");
      const { filters, problems } = PARSERS[path]?.(searchInput(query)) ?? { problems: ["no list"] };
      expect(problems, href).toEqual([]);
      if (list.windowed) expect(filters).toMatchObject(WINDOW);
    }
    expect(list.windowed).toBe(/this time/.test(list.label));
    expect(listLabel(list, undefined)).toBe(list.label);
    expect(listLabel(list, "client")).toBe(`${list.label}, ${client === null ? "not by client" : "every client"}`);
    expect(listLabel(list, "client", CLIENT)).toBe(`${list.label}, ${client === null ? "not by client" : CLIENT.name}`);
  });

  it("names a group only where a list can be asked for it", () => {
    expect(groupOfLine("client", { label: "till-web", slot: 1 })).toEqual({ by: "client", name: "till-web" });
    expect(groupOfLine(undefined, { label: "replay", slot: 1 })).toBeUndefined();
    expect(groupOfLine("client", { label: NO_CLIENT, slot: 2 })).toBeUndefined();
    expect(groupOfLine("client", { label: "the rest", slot: REST_SLOT })).toBeUndefined();
    expect(groupOfLine("client", { label: "all", slot: 0 })).toBeUndefined();
  });

  it("tells the line that a pointer is on, and none where two lie together or it is far from all", () => {
    const plot = { top: 100, height: 100 };
    expect(lineAt([80, 20, null], { ...plot, at: 76 })).toBe(0);
    expect(lineAt([80, 20, null], { ...plot, at: 22 })).toBe(1);
    expect(lineAt([80, 20], { ...plot, at: 50 })).toBeUndefined();
    expect(lineAt([0, 0, 90], { ...plot, at: 1 })).toBeUndefined();
    expect(lineAt([null], { ...plot, at: 1 })).toBeUndefined();
  });
});
