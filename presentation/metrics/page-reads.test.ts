import { expect, it } from "vitest";
import type { PageReadsFacts } from "@/domain/page-reads";
import { LAG_CLAIMS, REPLICA_SETTING, REPLICA_TROUBLE, pageReadsView, replicaSetting } from "./page-reads";

const replica: PageReadsFacts = { from: "replica", until: "2026-11-22T14:00:00Z", behindMs: 2_300, behindBytes: 4_200 };
const primary = (why: "silent" | "behind" | "not_standby" | "acted" | "left", behindMs?: number): PageReadsFacts => ({
  from: "primary",
  why,
  behindMs,
});
const SILENT = "The read replica does not answer: pages are read from the primary.";
const LATE = "The read replica is 34 s behind: pages are read from the primary.";
const UNKNOWN = "How far the read replica is behind is not known yet: pages are read from the primary.";
const NONE = "DATABASE_URL_READ is no standby of this database: pages are read from the primary.";

it("REPLICA-1 a page of the replica says how far that is behind, and no other page does", () => {
  expect(pageReadsView(replica)).toEqual({ lag: "replica 2 s behind", trouble: [] });
  expect(replicaSetting(replica)).toBe("2 s and 4.2 KB behind. Pages are read from it.");
  expect(LAG_CLAIMS.filter(({ holds }) => holds(primary("acted")))).toEqual([]);
});

it.each([
  [primary("silent"), SILENT],
  [primary("behind", 34_900), LATE],
  [primary("behind"), UNKNOWN],
  [primary("not_standby"), NONE],
])("REPLICA-3 a page says what is wrong with the replica: %j", (facts, words) => {
  expect(pageReadsView(facts)).toEqual({ lag: undefined, trouble: [words] });
  expect(replicaSetting(facts)).toBe(words);
  expect(REPLICA_TROUBLE.filter(({ holds }) => holds(facts))).toHaveLength(1);
});

it("REPLICA-2 nothing is wrong while somebody's pages are read from the primary because they acted", () => {
  expect(pageReadsView(primary("acted"))).toEqual({ lag: undefined, trouble: [] });
  expect(replicaSetting(primary("acted"))).toBe(
    "It may not have yet what you did, so your pages are read from the primary until it has.",
  );
  expect(replicaSetting(primary("left"))).toBe("This page is read from the primary.");
  expect(REPLICA_SETTING.at(-1)?.holds(replica)).toBe(true);
});
