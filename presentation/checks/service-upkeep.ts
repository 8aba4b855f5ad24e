import { writtenTime } from "@/domain/written-time";
import type { ChecklistFacts, CleanupFacts, OpenFacts } from "@/domain/checks/checklist-facts";
import { formatCount, formatDuration } from "../format/display-time";
import { plural } from "../format/words";
import { type CheckClaim, type FactsOf, findings, type Findings, findingsOf } from "./finding";

/** Checks of what the database enforces, and of what a worker keeps in order. */

interface ConstraintFacts {
  readonly all: number;
  readonly missing: readonly string[];
}

/** Races are decided by the database, whatever the code forgets. */
const CONSTRAINT_CLAIMS: readonly CheckClaim<FactsOf<ConstraintFacts>>[] = [
  {
    name: "each constraint is there",
    verdict: "holds",
    holds: ({ it }) => it.missing.length === 0,
    words: ({ it }) => `${String(it.all)} of ${String(it.all)} are there and valid.`,
  },
];
const MISSING_CLAIMS: readonly CheckClaim<{ readonly constraint: string; readonly missing: readonly string[] }>[] = [
  {
    name: "a constraint is missing",
    verdict: "fails",
    holds: ({ constraint, missing }) => missing.includes(constraint),
    words: ({ constraint }) => `The database does not enforce ${constraint}.`,
  },
];

export function constraintsEnforced(facts: ChecklistFacts): Findings {
  const { missing } = facts.constraints ?? { missing: [] };
  return [
    ...findingsOf("Unique constraints", facts, facts.constraints, CONSTRAINT_CLAIMS),
    ...missing.flatMap((constraint) => findings(MISSING_CLAIMS, { constraint, missing })),
  ];
}

const INBOX_KEY = "one inbox row per consumer, source and event id";
const INBOX_KEY_CLAIMS: readonly CheckClaim<FactsOf<ConstraintFacts>>[] = [
  {
    name: "the inbox's key is missing",
    verdict: "fails",
    holds: ({ it }) => it.missing.includes(INBOX_KEY),
    words: () => `The database does not enforce ${INBOX_KEY}.`,
  },
  {
    name: "the inbox's key is there",
    verdict: "holds",
    holds: ({ it }) => !it.missing.includes(INBOX_KEY),
    words: () => `The database enforces ${INBOX_KEY}.`,
  },
];

export function inboxKeyEnforced(facts: ChecklistFacts): Findings {
  return findingsOf("Unique constraints", facts, facts.constraints, INBOX_KEY_CLAIMS);
}

const RETENTION = "/retention";

/** Rows whose time is over and that are still there, of the ones that ended first. */
const OVERDUE_CLAIMS: readonly CheckClaim<{ readonly what: string; readonly count: number }>[] = [
  {
    name: "nothing is overdue",
    verdict: "holds",
    href: RETENTION,
    holds: ({ count }) => count === 0,
    words: ({ what }) => `No ${what}.`,
  },
  {
    name: "rows are overdue",
    verdict: "fails",
    href: RETENTION,
    holds: ({ count }) => count > 0,
    words: ({ what, count }) => `${formatCount(count)} or more ${what}.`,
  },
];

/** Days of partitions that have to be there besides today's: a stopped worker is noticed before the last one is used up. */
const DAYS_AHEAD = 2;

const CLEANUP_CLAIMS: readonly CheckClaim<FactsOf<CleanupFacts>>[] = [
  {
    name: "partitions are made ahead",
    verdict: "holds",
    holds: ({ it }) => it.daysAhead > DAYS_AHEAD,
    words: ({ it }) => `Tables by day have partitions for the next ${plural(it.daysAhead - 1, "day")}.`,
  },
  {
    name: "few partitions are left",
    verdict: "fails",
    holds: ({ it }) => it.daysAhead > 0 && it.daysAhead <= DAYS_AHEAD,
    words: ({ it }) => `Tables by day have partitions for ${plural(it.daysAhead, "day")} only, today included.`,
  },
  {
    name: "no partition for today",
    verdict: "fails",
    holds: ({ it }) => it.daysAhead === 0,
    words: () => "A table by day has no partition for today.",
  },
  {
    name: "nothing removed yet",
    verdict: "note",
    href: RETENTION,
    holds: ({ it }) => it.lastRunAt === undefined,
    words: () => "Nothing had to be removed so far.",
  },
  {
    name: "removed last",
    verdict: "note",
    href: RETENTION,
    holds: ({ it }) => it.lastRunAt !== undefined,
    words: ({ it }) => `Something was removed last on ${writtenTime(it.lastRunAt ?? "")}.`,
  },
];

export function cleanedUp(facts: ChecklistFacts): Findings {
  const { cleanup: it } = facts;
  const overdue =
    it === undefined
      ? []
      : [
          { what: "expired bodies", count: it.overdueBodies },
          { what: "expired records", count: it.overdueRecords },
          { what: "ended windows that are not closed", count: it.overdueWindows },
        ];
  return [
    ...overdue.flatMap((one) => findings(OVERDUE_CLAIMS, one)),
    ...findingsOf("What has expired", facts, it, CLEANUP_CLAIMS),
  ];
}

/** A lease that is stale for longer is not looked after by recovery. */
const STALE_TOO_LONG_MS = 300_000;
const tooLong = ({ it: { oldestStaleMs = 0 } }: FactsOf<OpenFacts>): boolean => oldestStaleMs > STALE_TOO_LONG_MS;

const LEASE_CLAIMS: readonly CheckClaim<FactsOf<OpenFacts>>[] = [
  {
    name: "leases that nobody takes over",
    verdict: "fails",
    href: "/attention",
    holds: tooLong,
    words: ({ it: { stale, oldestStaleMs = 0 } }) =>
      `${plural(stale, "stale lease")}, the oldest for ${formatDuration(oldestStaleMs)}.`,
  },
  {
    name: "no lease is stale for long",
    verdict: "holds",
    href: "/attention",
    holds: (facts) => !tooLong(facts),
    words: () => "No lease is stale for longer than 5 minutes.",
  },
];

export function leasesFresh(facts: ChecklistFacts): Findings {
  return findingsOf("Open operations", facts, facts.open, LEASE_CLAIMS);
}

const UNKNOWN_CLAIMS: readonly CheckClaim<FactsOf<OpenFacts>>[] = [
  {
    name: "unknown outcomes",
    verdict: "note",
    href: "/attention",
    holds: ({ it }) => it.unknown > 0,
    words: ({ it: { unknown, oldestUnknownMs } }) => {
      const oldest = oldestUnknownMs === undefined ? "" : `, the oldest for ${formatDuration(oldestUnknownMs)}`;
      return `${plural(unknown, "outcome")} unknown${oldest}.`;
    },
  },
];

/** What was not read is said by the check of leases, which reads the same. */
export function unknownCounted(facts: ChecklistFacts): Findings {
  return facts.open === undefined ? [] : findings(UNKNOWN_CLAIMS, { ...facts, it: facts.open });
}
