import { holding, type PageClaim } from "@/domain/page-claim";
import { spokenDuration } from "../format/words";
import type { MiniStation } from "./chain";
import type { VerdictClause } from "../views/common";
import type { OperationRow } from "../views/operations";

/** What a hit of the find box is judged by: the row of its operation, and since when it is open. */
export interface HitFacts extends Pick<OperationRow, "state" | "chain" | "errorCode" | "createdAt"> {
  /** Database time of the read, RFC 3339. */
  readonly at: string;
  readonly unknownSince?: string | undefined;
  readonly lockedUntil?: string | undefined;
}

interface HitClaim extends PageClaim<HitFacts> {
  readonly tone: NonNullable<VerdictClause["tone"]>;
}

/** "for 41 minutes" */
const forHow = ({ at }: HitFacts, from: string): string => `for ${spokenDuration(Date.parse(at) - Date.parse(from))}`;
const refusal = ({ errorCode }: HitFacts): string => (errorCode === undefined ? "" : `: ${errorCode}`);
const is =
  (state: HitFacts["state"]) =>
  (facts: HitFacts): boolean =>
    facts.state === state;
const settled = ({ state }: HitFacts): boolean => state === "COMPLETED" || state === "EXPIRED";
const ledgerIs =
  (station: MiniStation) =>
  (facts: HitFacts): boolean =>
    settled(facts) && facts.chain[5] === station;

/** The first is the tone of all that is said. */
const HIT_CLAIMS: readonly HitClaim[] = [
  {
    name: "in doubt",
    tone: "doubt",
    holds: is("UNKNOWN_REQUIRES_RECOVERY"),
    words: (facts) => `In doubt ${forHow(facts, facts.unknownSince ?? facts.createdAt)}.`,
  },
  {
    name: "owner silent",
    tone: "doubt",
    holds: is("STALE"),
    words: (facts) => `Its owner has been silent ${forHow(facts, facts.lockedUntil ?? facts.createdAt)}.`,
  },
  {
    name: "in progress",
    tone: "fine",
    holds: is("IN_PROGRESS"),
    words: (facts) => `In progress ${forHow(facts, facts.createdAt)}.`,
  },
  {
    name: "not final",
    tone: "fine",
    holds: is("FAILED_RETRYABLE"),
    words: (facts) => `Failed without a final answer${refusal(facts)}.`,
  },
  {
    name: "refused",
    tone: "fine",
    holds: is("FAILED_REPLAYABLE"),
    words: (facts) => `Refused for good${refusal(facts)}.`,
  },
  {
    name: "message dead",
    tone: "broken",
    holds: (facts) => settled(facts) && facts.chain[3] === "dead",
    words: () => "Its message is dead.",
  },
  {
    name: "message dead at a consumer",
    tone: "broken",
    holds: (facts) => settled(facts) && facts.chain[3] !== "dead" && facts.chain[4] === "dead",
    words: () => "Its message is dead at a consumer.",
  },
  { name: "posted", tone: "fine", holds: ledgerIs("done"), words: () => "Ledger posted." },
  { name: "not posted yet", tone: "fine", holds: ledgerIs("waiting"), words: () => "Ledger not posted yet." },
  { name: "not posted", tone: "doubt", holds: ledgerIs("missing"), words: () => "Ledger not posted." },
];

/** What matters first about one operation, in a few words: its doubt, its refusal, its messages, its ledger. */
export function hitVerdict(facts: HitFacts): VerdictClause | undefined {
  const said = holding(HIT_CLAIMS, facts);
  const [first] = said;
  return first && { text: said.map(({ words }) => words(facts)).join(" "), tone: first.tone };
}
