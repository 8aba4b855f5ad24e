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

/** What matters first about one operation, in a few words: its doubt, its refusal, its messages, its ledger. */
export function hitVerdict(facts: HitFacts): VerdictClause | undefined {
  const since = (from: string | undefined): string =>
    spokenDuration(Date.parse(facts.at) - Date.parse(from ?? facts.createdAt));
  const refused = facts.errorCode === undefined ? "" : `: ${facts.errorCode}`;
  switch (facts.state) {
    case "UNKNOWN_REQUIRES_RECOVERY":
      return { text: `In doubt for ${since(facts.unknownSince)}.`, tone: "doubt" };
    case "STALE":
      return { text: `Its owner has been silent for ${since(facts.lockedUntil)}.`, tone: "doubt" };
    case "IN_PROGRESS":
      return { text: `In progress for ${since(undefined)}.`, tone: "fine" };
    case "FAILED_RETRYABLE":
      return { text: `The same key may run again${refused}.`, tone: "fine" };
    case "FAILED_REPLAYABLE":
      return { text: `Refused for good${refused}.`, tone: "fine" };
    case "COMPLETED":
    case "EXPIRED":
      return settledVerdict(facts);
  }
}

function settledVerdict({ chain }: HitFacts): VerdictClause | undefined {
  const [, , , outbox, inbox, ledger] = chain;
  const posted = LEDGER[ledger];
  if (outbox !== "dead" && inbox !== "dead") return posted;
  const dead = outbox === "dead" ? "Its message is dead." : "Its message is dead at a consumer.";
  return { text: posted === undefined ? dead : `${dead} ${posted.text}`, tone: "broken" };
}

const LEDGER: Readonly<Partial<Record<MiniStation, VerdictClause>>> = {
  done: { text: "Ledger posted.", tone: "fine" },
  waiting: { text: "Ledger not posted yet.", tone: "fine" },
  missing: { text: "Ledger not posted.", tone: "doubt" },
};
