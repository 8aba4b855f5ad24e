import { claimWords, firstWords, type PageClaim } from "@/domain/page-claim";
import type { PageReadsFacts } from "@/domain/page-reads";
import { formatBytes } from "../format/format-bytes";
import { formatAge } from "../format/display-time";

/** What a page says of where it was read. */
export interface PageReadsView {
  /** Beside how fresh the page is: `replica 2 s behind`. Undefined when it was read from the primary. */
  readonly lag?: string | undefined;
  /** Stands above the page; empty while nothing is wrong with the replica. */
  readonly trouble: readonly string[];
}

type Claim = PageClaim<PageReadsFacts>;

const isFor = (facts: PageReadsFacts, why: Extract<PageReadsFacts, { from: "primary" }>["why"]): boolean =>
  facts.from === "primary" && facts.why === why;
const behind = (facts: PageReadsFacts): number | undefined => facts.behindMs;

export const LAG_CLAIMS: readonly Claim[] = [
  {
    name: "read from the replica",
    holds: ({ from }) => from === "replica",
    words: (facts) => `replica ${formatAge(behind(facts) ?? 0)} behind`,
  },
];

export const REPLICA_TROUBLE: readonly Claim[] = [
  {
    name: "the replica is silent",
    holds: (facts) => isFor(facts, "silent"),
    words: () => "The read replica does not answer: pages are read from the primary.",
  },
  {
    name: "the replica is too far behind",
    holds: (facts) => isFor(facts, "behind") && behind(facts) !== undefined,
    words: (facts) => `The read replica is ${formatAge(behind(facts) ?? 0)} behind: pages are read from the primary.`,
  },
  {
    name: "nobody knows how far the replica is behind",
    holds: (facts) => isFor(facts, "behind") && behind(facts) === undefined,
    words: () => "How far the read replica is behind is not known yet: pages are read from the primary.",
  },
  {
    name: "it is no replica",
    holds: (facts) => isFor(facts, "not_standby"),
    words: () => "DATABASE_URL_READ is no standby of this database: pages are read from the primary.",
  },
];

/** On the page of settings, which is read from the primary itself. */
export const REPLICA_SETTING: readonly Claim[] = [
  {
    name: "pages are read from it",
    holds: ({ from }) => from === "replica",
    words: (facts) =>
      facts.from === "replica"
        ? `${formatAge(facts.behindMs)} and ${formatBytes(String(facts.behindBytes))} behind. Pages are read from it.`
        : "",
  },
  ...REPLICA_TROUBLE,
  {
    name: "the person acted",
    holds: (facts) => isFor(facts, "acted"),
    words: () => "It may not have yet what you did, so your pages are read from the primary until it has.",
  },
  { name: "a read was made again", holds: () => true, words: () => "This page is read from the primary." },
];

export function pageReadsView(facts: PageReadsFacts): PageReadsView {
  return { lag: claimWords(LAG_CLAIMS, facts)[0], trouble: claimWords(REPLICA_TROUBLE, facts) };
}

export function replicaSetting(facts: PageReadsFacts): string {
  return firstWords(REPLICA_SETTING, facts);
}
