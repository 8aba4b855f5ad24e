import { formatCount } from "../format/display-time";
import { plural, times } from "../format/words";
import { CLIENTS_LISTED } from "@/domain/metrics/client-sums";
import { firstWords, holding, type PageClaim } from "@/domain/page-claim";
import { verdictOf } from "../operation/verdict";
import type { ClientRange, ClientReport } from "../views/clients";
import type { VerdictClause, VerdictView } from "../views/common";

/** The shortest wait of the published retry schedule. */
export const FAST_RETRY_MS = 100;
/** Fewer than this, or a smaller share of the repeated requests, may be double clicks. */
const FAST_MIN = 5;
const FAST_SHARE = 0.05;
const INVALID_SHARE = 0.05;

export const RANGE_WORDS: Readonly<Record<ClientRange, string>> = { "24h": "24 h", "7d": "7 days", "30d": "30 days" };

type Facts = Omit<ClientReport, "verdict" | "weight">;

/** Whether a client retries too fast more often than by double clicks. */
export function isHasty(facts: Pick<Facts, "fast" | "again">): boolean {
  return facts.fast >= FAST_MIN && facts.fast >= facts.again * FAST_SHARE;
}

/** Whether more than a few of its requests are invalid. */
export function isCareless(facts: Pick<Facts, "invalid" | "requests">): boolean {
  return facts.invalid > 0 && facts.invalid >= facts.requests * INVALID_SHARE;
}

/** What was counted of one client, and over which time. */
export type ClientFacts = Facts & { readonly range: ClientRange };
interface ClientClaim extends PageClaim<ClientFacts> {
  readonly tone: VerdictClause["tone"];
}

/** Conflicts whose key is the client's own. */
const ownConflicts = ({ conflicts, conflictKinds: { foreign } }: Facts): number => Math.max(0, conflicts - foreign);
const found = ({ conflicts, conflictKeys, range }: ClientFacts): string =>
  `${plural(conflicts, "conflict")} on ${plural(conflictKeys, "key")} in ${RANGE_WORDS[range]}`;

/** What a client does wrong, one sentence each. */
const FAULT_CLAIMS: readonly ClientClaim[] = [
  {
    name: "reuses keys",
    tone: "conflict",
    holds: (facts) => ownConflicts(facts) > 0,
    words: (facts) => `Reuses keys across bodies: ${found(facts)}${kinds(facts)}.`,
  },
  {
    name: "keys of others",
    tone: "conflict",
    holds: (facts) => facts.conflicts > 0 && ownConflicts(facts) === 0,
    words: (facts) => `Uses keys of other clients: ${found(facts)}.`,
  },
  {
    name: "no key",
    tone: "doubt",
    holds: ({ noKey }) => noKey > 0,
    words: ({ noKey }) => `Sends no key: ${plural(noKey, "request")} refused.`,
  },
  {
    name: "unusable key",
    tone: "doubt",
    holds: ({ badKey }) => badKey > 0,
    words: ({ badKey }) => `Sends keys that cannot be read: ${plural(badKey, "request")} refused.`,
  },
  {
    name: "too late",
    tone: "doubt",
    holds: ({ afterWindow }) => afterWindow > 0,
    words: ({ afterWindow }) => `Retries too late: ${plural(afterWindow, "request")} came after the key's window.`,
  },
  {
    name: "too fast",
    tone: "doubt",
    holds: isHasty,
    words: ({ fast }) =>
      `Retries too fast: ${plural(fast, "retry", "retries")} in less than ${String(FAST_RETRY_MS)} ms.`,
  },
  {
    name: "over the limit",
    tone: "doubt",
    holds: ({ limited }) => limited > 0,
    words: ({ limited }) => `Was over its limit ${times(limited)}.`,
  },
  {
    name: "invalid",
    tone: "doubt",
    holds: isCareless,
    words: ({ invalid, requests }) => `${formatCount(invalid)} of ${plural(requests, "request")} were invalid.`,
  },
];

const faultless = (facts: ClientFacts): boolean => holding(FAULT_CLAIMS, facts).length === 0;

/** Everything that the head of a client's page may say. */
export const CLIENT_CLAIMS: readonly ClientClaim[] = [
  ...FAULT_CLAIMS,
  {
    name: "no request",
    tone: "fine",
    holds: (facts) => faultless(facts) && facts.requests === 0,
    words: ({ range }) => `No request in ${RANGE_WORDS[range]}.`,
  },
  {
    name: "uses its keys well",
    tone: "fine",
    holds: (facts) => faultless(facts) && facts.requests > 0,
    words: (facts) => {
      const came = facts.again === 0 ? "none came again" : `${plural(facts.again, "retry", "retries")}, ${pace(facts)}`;
      return `Uses its keys well: ${plural(facts.requests, "request")}, ${came}.`;
    },
  },
];

export function clientVerdict(facts: Facts, range: ClientRange): VerdictView {
  const ranged = { ...facts, range };
  return verdictOf(holding(CLIENT_CLAIMS, ranged).map(({ tone, words }) => ({ tone, text: words(ranged) })));
}

/** A few fast ones are no fault of the client, and are counted all the same. */
function pace({ fast, inFlight }: Facts): string {
  const parts = [
    ...(fast === 0 ? [] : [`${formatCount(fast)} of them within ${String(FAST_RETRY_MS)} ms`]),
    ...(inFlight === 0 ? [] : [`${formatCount(inFlight)} while the first was in progress`]),
  ];
  return parts.length === 0 ? "each as it should be" : parts.join(", ");
}

function kinds({ conflicts, conflictKinds: { amount, foreign, fields } }: Facts): string {
  const parts = [
    [amount, "other amounts", "another amount"],
    [fields, "other fields", "other fields"],
    [foreign, "keys of another client", "a key of another client"],
  ] as const;
  const [most] = [...parts].sort((a, b) => b[0] - a[0]);
  if (most === undefined || most[0] === 0) return "";
  const [count, many, one] = most;
  if (conflicts === 1 && count === 1) return `, ${one}`;
  return `, ${count === conflicts ? "all" : String(count)} of them ${many}`;
}

/** The clients of one list, and over which time they were counted. */
export interface ClientsFacts {
  readonly reports: readonly ClientReport[];
  readonly range: ClientRange;
  /** There are more names than these. */
  readonly cut: boolean;
}
interface ClientsClaim extends PageClaim<ClientsFacts> {
  readonly tone: VerdictClause["tone"];
}

const withFault = ({ reports, range }: ClientsFacts, faults: readonly ClientClaim["name"][]): readonly ClientReport[] =>
  reports.filter((report) =>
    FAULT_CLAIMS.some(({ name, holds }) => faults.includes(name) && holds({ ...report, range })),
  );
const active = ({ reports }: ClientsFacts): number => reports.filter(({ requests }) => requests > 0).length;
/** Of all clients that there are. */
const allFaultless = ({ reports, range, cut }: ClientsFacts): boolean =>
  !cut && reports.every((report) => faultless({ ...report, range }));

/** A fault of the page of one client, said of those that have it. */
const shared = (
  faults: readonly ClientClaim["name"][],
  tone: VerdictClause["tone"],
  verb: string,
  verbs: string,
): ClientsClaim => ({
  name: `some: ${faults.join(", ")}`,
  tone,
  holds: (facts) => withFault(facts, faults).length > 0,
  words: (facts) => {
    const [only, ...more] = withFault(facts, faults);
    return more.length === 0 ? `${only?.client ?? ""} ${verb}.` : `${String(more.length + 1)} ${verbs}.`;
  },
});

/** Everything that the head of the list may say. */
export const CLIENTS_CLAIMS: readonly ClientsClaim[] = [
  {
    name: "clients",
    tone: "fine",
    holds: ({ cut }) => !cut,
    words: ({ reports }) => `${plural(reports.length, "client")}.`,
  },
  {
    name: "more clients than are ranked",
    tone: "fine",
    holds: ({ cut }) => cut,
    words: ({ reports }) => `${formatCount(reports.length)} clients are ranked, not all.`,
  },
  shared(["reuses keys"], "conflict", "reuses keys across bodies", "reuse keys across bodies"),
  shared(["keys of others"], "conflict", "uses keys of other clients", "use keys of other clients"),
  shared(
    ["no key", "unusable key"],
    "doubt",
    "sends requests without a usable key",
    "send requests without a usable key",
  ),
  shared(["too late"], "doubt", "retries too late", "retry too late"),
  shared(["too fast"], "doubt", "retries too fast", "retry too fast"),
  shared(["over the limit"], "doubt", "was over its limit", "were over their limits"),
  shared(["invalid"], "doubt", "sends many invalid requests", "send many invalid requests"),
  {
    name: "no request of any",
    tone: "fine",
    holds: (facts) => facts.reports.length > 0 && allFaultless(facts) && active(facts) === 0,
    words: ({ range }) => `No request in ${RANGE_WORDS[range]}.`,
  },
  {
    name: "all use their keys well",
    tone: "fine",
    holds: (facts) => allFaultless(facts) && active(facts) > 0 && active(facts) === facts.reports.length,
    words: ({ range, reports }) =>
      `${reports.length === 1 ? "It used its" : "All used their"} keys well in ${RANGE_WORDS[range]}.`,
  },
  {
    name: "some use their keys well",
    tone: "fine",
    holds: (facts) => allFaultless(facts) && active(facts) > 0 && active(facts) < facts.reports.length,
    words: (facts) =>
      `${formatCount(active(facts))} of them sent requests in ${RANGE_WORDS[facts.range]} and used ${active(facts) === 1 ? "its" : "their"} keys well.`,
  },
];

const LEDE: readonly PageClaim<Pick<ClientsFacts, "cut">>[] = [
  { name: "all", holds: ({ cut }) => !cut, words: () => "How programs use their idempotency keys, worst first." },
  {
    name: "some",
    holds: ({ cut }) => cut,
    words: () =>
      `How programs use their idempotency keys: those that are kept here and the first ${String(CLIENTS_LISTED)} names, worst of these first.`,
  },
];

/** Whether the list begins with the worst of all, or of those that were read. */
export function clientsLede(facts: Pick<ClientsFacts, "cut">): string {
  return firstWords(LEDE, facts);
}

/** The head of the page: how many clients there are, and what some of them do wrong. */
export function clientsVerdict(reports: readonly ClientReport[], range: ClientRange, cut = false): VerdictView {
  const facts = { reports, range, cut };
  return verdictOf(holding(CLIENTS_CLAIMS, facts).map(({ tone, words }) => ({ tone, text: words(facts) })));
}
