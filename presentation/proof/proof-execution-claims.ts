import type { PageClaim } from "@/domain/page-claim";
import type { ProofEvent, ProofFacts } from "@/domain/checks/proof-facts";
import { plural } from "../format/words";
import { gapText } from "./proof-case";

/** What a proof says of an execution and its answers, where it is filled with what was found. */

/** What has to be so where only a person says what became of it. */
export const HAND_CLAIMS: readonly PageClaim<"succeeded" | "failed">[] = [
  { name: "settled by hand", holds: () => true, words: (decision) => `Settled by hand as ${decision}, once.` },
];

const unknown = ({ request }: ProofFacts): boolean => request.state === "UNKNOWN_REQUIRES_RECOVERY";
/** How long its lease still runs, in ms; undefined: nobody holds one. */
const leaseLeft = ({ at, open }: ProofFacts): number | undefined =>
  open?.lockedUntil === undefined ? undefined : Date.parse(open.lockedUntil) - Date.parse(at);

/** What an operation waits for that is not settled: the first that holds. Whether an owner still works, its lease does not say. */
export const UNSETTLED_CLAIMS: readonly PageClaim<ProofFacts>[] = [
  {
    name: "unknown at another service",
    holds: (facts) => unknown(facts) && facts.about.runsIn !== "module",
    words: () => "It may have acted: the service that owns it has to settle it.",
  },
  {
    name: "unknown",
    holds: unknown,
    words: () => "The provider may have acted: a look-up or a person has to settle it.",
  },
  {
    name: "lease ran out",
    holds: (facts) => (leaseLeft(facts) ?? 1) <= 0,
    words: () => "Its owner fell silent: recovery takes it over.",
  },
  { name: "lease held", holds: (facts) => (leaseLeft(facts) ?? 0) > 0, words: () => "Its owner holds the lease." },
  { name: "no lease", holds: () => true, words: () => "It is in progress, and nobody holds its lease." },
];

/** Of writes of owners that had lost the operation. */
export const FENCE_NOTES: readonly PageClaim<readonly ProofEvent[]>[] = [
  {
    name: "turned away",
    holds: (late) => late.length > 0,
    words: (late) => `${plural(late.length, "late write")} turned away by the fence.`,
  },
];

/** What has to be so of the answers that were served: the first that holds. */
export const SERVED_CLAIMS: readonly PageClaim<readonly ProofEvent[]>[] = [
  { name: "one answer", holds: (served) => served.length === 1, words: () => "One answer was served." },
  {
    name: "same bytes",
    holds: (served) => served.length > 1,
    words: (served) => `All ${String(served.length)} served answers had the same bytes.`,
  },
];

/** Of how many answers with different bytes were served. */
export const DIFFERENT_CLAIMS: readonly PageClaim<number>[] = [
  {
    name: "different answers",
    holds: (count) => count > 1,
    words: (count) => `${String(count)} different answers were served where 1 belongs.`,
  },
];

type Answers = ProofFacts["answers"] & { readonly purgedAt: string | undefined };
const unreadable = ({ rows }: Answers): string | undefined =>
  rows.find((row) => row.unreadable !== undefined)?.unreadable;

/** Why the kept answer cannot be compared: the first that holds. */
export const NOT_KEPT_CLAIMS: readonly PageClaim<Answers>[] = [
  {
    name: "purged",
    holds: ({ purgedAt }) => purgedAt !== undefined,
    words: ({ purgedAt = "" }) => `The kept answer was purged on ${purgedAt.slice(0, 10)}.`,
  },
  {
    name: "not seen",
    holds: ({ rows, gap }) => rows.length === 0 && gap !== undefined,
    words: ({ gap }) => (gap === undefined ? "" : gapText("kept answers", gap)),
  },
  {
    name: "none",
    holds: ({ rows }) => rows.length === 0,
    words: () => "No answer is kept to compare with.",
  },
  { name: "unreadable", holds: (answers) => unreadable(answers) !== undefined, words: (it) => unreadable(it) ?? "" },
];

/** What has to be so of requests with another command: the first that holds. */
export const OTHERS_CLAIMS: readonly PageClaim<readonly ProofEvent[]>[] = [
  {
    name: "one other",
    holds: (conflicts) => conflicts.length === 1,
    words: () => "The other command under this key never ran.",
  },
  {
    name: "others",
    holds: (conflicts) => conflicts.length > 1,
    words: (conflicts) => `The ${String(conflicts.length)} requests with another command never ran.`,
  },
];
