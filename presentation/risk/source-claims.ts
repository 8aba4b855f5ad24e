import { firstWords, holding, type PageClaim } from "@/domain/page-claim";
import { formatClock, formatCount } from "../format/display-time";
import { NO_CLIENT } from "../metrics/measure-links";
import { plural } from "../format/words";

const clock = (iso: string): string => formatClock(iso, "utc");

/** The largest part of what was counted. */
interface Largest {
  /** Empty: of no client. */
  readonly name: string;
  readonly count: number;
  /** All that was counted, also what was not read by name. */
  readonly all: number;
  /** Names that were read, without what has none. */
  readonly names: number;
  /** Some of it has no name. */
  readonly unnamed: boolean;
  /** More names than were read. */
  readonly more: boolean;
}

/** @param counted what the roll-up counted; it may be more than the rows that were read */
export function largest<Row extends { readonly count: number }>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  counted: number,
): Largest | undefined {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + row.count);
  const [first] = [...sums].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  if (first === undefined) return undefined;
  const read = rows.reduce((sum, { count }) => sum + count, 0);
  const unnamed = sums.has("");
  const names = sums.size - (unnamed ? 1 : 0);
  return { name: first[0], count: first[1], all: Math.max(read, counted), names, unnamed, more: counted > read };
}

const isAll = ({ count, all }: Largest): boolean => count === all;
const isMost = ({ count, all }: Largest): boolean => count < all && count * 2 > all;

/** The clients that it came from: exactly one of these holds. */
const CLIENT_CLAIMS: readonly PageClaim<Largest>[] = [
  { name: "of no client", holds: (of) => isAll(of) && of.name === "", words: () => "Of no client." },
  { name: "of one client", holds: (of) => isAll(of) && of.name !== "", words: ({ name }) => `All from ${name}.` },
  {
    name: "most from one",
    holds: isMost,
    words: ({ name, count, all }) =>
      `${formatCount(count)} of ${formatCount(all)} from ${name === "" ? NO_CLIENT : name}.`,
  },
  {
    name: "from many",
    holds: (of) => !isAll(of) && !isMost(of),
    words: ({ names, unnamed, more }) =>
      `${more ? `More than ${plural(names, "client")}` : plural(names, "client")}${unnamed ? " and some without a name" : ""}, none with more than half.`,
  },
];

const OPERATION_CLAIMS: readonly PageClaim<Largest>[] = [
  { name: "one operation", holds: isAll, words: ({ name }) => `All ${name}.` },
];

/** "All from till-web. All payments.create.", "311 of 402 from till-web.", "12 clients, none with more than half." */
export function shareWords(client: Largest, operation: Largest): string {
  const operations = holding(OPERATION_CLAIMS, operation).map(({ words }) => words(operation));
  return [firstWords(CLIENT_CLAIMS, client), ...operations].join(" ");
}

/** Doubts that began in the window and are kept, by provider, the most first. */
export type Begun = readonly {
  readonly provider?: string | undefined;
  readonly count: number;
  readonly first: string;
  readonly last: string;
}[];
interface BegunFacts {
  readonly begun: Begun;
  /** What the roll-up counted: it may lack what is kept, or have more. */
  readonly value: number;
}

const kept = ({ begun }: BegunFacts): number => begun.reduce((sum, { count }) => sum + count, 0);
const most = ({ begun: [first] }: BegunFacts) => first ?? { count: 0, first: "", last: "", provider: undefined };
const isOne = (facts: BegunFacts): boolean => most(facts).provider !== undefined && most(facts).count === kept(facts);

/** "14:02:09 to 14:09:00 UTC", of all of these. */
function when(rows: Begun): string {
  const firsts = rows.map(({ first }) => first).sort();
  const lasts = rows.map(({ last }) => last).sort();
  const [from, to] = [clock(firsts[0] ?? ""), clock(lasts.at(-1) ?? "")];
  return from === to ? `at ${from} UTC` : `${from} to ${to} UTC`;
}

/** When what is in doubt was sent, and to whom: at most one of these holds. */
const BEGUN_CLAIMS: readonly PageClaim<BegunFacts>[] = [
  {
    name: "began",
    holds: ({ begun }) => begun.length > 0 && begun[0]?.provider === undefined,
    words: ({ begun }) => `Began ${when(begun)}.`,
  },
  {
    name: "all sent to one",
    holds: (facts) => isOne(facts) && kept(facts) === facts.value,
    words: (facts) => `All sent to ${most(facts).provider ?? ""}, ${when(facts.begun)}.`,
  },
  {
    name: "sent to one, as far as it is kept",
    holds: (facts) => isOne(facts) && kept(facts) !== facts.value,
    words: (facts) => `Sent to ${most(facts).provider ?? ""}, ${when(facts.begun)}.`,
  },
  {
    name: "most sent to one",
    holds: (facts) => most(facts).provider !== undefined && !isOne(facts) && kept(facts) === facts.value,
    words: (facts) =>
      `${formatCount(most(facts).count)} of ${formatCount(kept(facts))} sent to ${most(facts).provider ?? ""}, ${when([most(facts)])}.`,
  },
  {
    name: "most sent to one, as far as it is kept",
    holds: (facts) => most(facts).provider !== undefined && !isOne(facts) && kept(facts) !== facts.value,
    words: (facts) =>
      `${formatCount(most(facts).count)} of ${formatCount(kept(facts))} doubts sent to ${most(facts).provider ?? ""}, ${when([most(facts)])}.`,
  },
];

/** Why the list has fewer rows than were counted. */
const OFTEN_CLAIMS: readonly PageClaim<{ readonly operations: number; readonly value: number }>[] = [
  {
    name: "more than once",
    holds: ({ operations, value }) => operations > 0 && operations < value,
    words: ({ operations }) => `In ${plural(operations, "operation")}, some of them more than once.`,
  },
];

/** @param operations that became unknown in the window, each once */
export function begunWords(facts: BegunFacts, operations: number): string {
  const often = { operations, value: facts.value };
  return [
    ...holding(BEGUN_CLAIMS, facts).map(({ words }) => words(facts)),
    ...holding(OFTEN_CLAIMS, often).map(({ words }) => words(often)),
  ].join(" ");
}

/** First answers of one operation, at their slowest. */
interface Slowest {
  readonly operation: string;
  readonly p95: number;
  readonly slowest: string;
}

const SLOWEST_CLAIMS: readonly PageClaim<readonly Slowest[]>[] = [
  {
    name: "slowest",
    holds: (rows) => rows.length > 0,
    words: (rows) => {
      const [first] = [...rows].sort((a, b) => b.p95 - a.p95);
      return `Highest in ${first?.operation ?? ""}, at ${clock(first?.slowest ?? "")} UTC.`;
    },
  },
];

/** @param rows whose p95 is known */
export function slowestWords(rows: readonly Slowest[]): string {
  return holding(SLOWEST_CLAIMS, rows)
    .map(({ words }) => words(rows))
    .join("");
}

const PEAK_CLAIMS: readonly PageClaim<{ readonly peak: string | undefined }>[] = [
  {
    name: "peak",
    holds: ({ peak }) => peak !== undefined,
    words: ({ peak = "" }) => `Highest at ${clock(peak)} UTC.`,
  },
];

/** @param peak when a gauge was highest; undefined: it was not measured */
export function peakWords(peak: string | undefined): string {
  return holding(PEAK_CLAIMS, { peak })
    .map(({ words }) => words({ peak }))
    .join("");
}
