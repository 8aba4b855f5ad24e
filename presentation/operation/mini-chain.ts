import type { MiniChainView, MiniStation } from "./chain";
import { isLeft, type OperationKind } from "@/domain/operation-kind";
import type { ShownState } from "@/domain/lists/filters";

/** What is recorded about one operation, in numbers of rows. */
export interface ChainFacts {
  readonly about: Pick<OperationKind, "path" | "expects">;
  readonly state: ShownState;
  readonly responseStatus?: number | undefined;
  /** Of the newest effect call; undefined: none was prepared. */
  readonly provider?: "prepared" | "sent" | "answered" | undefined;
  /** How the newest effect call ended, in the words of the journal. */
  readonly answer?: string | undefined;
  /** The provider's final word about the effect, from answers, look-ups and signed events. */
  readonly word?: "succeeded" | "declined" | undefined;
  readonly outbox: { readonly pending: number; readonly dead: number; readonly published: number };
  readonly inbox: { readonly recorded: number; readonly processed: number; readonly dead: number };
  readonly ledger: number;
}

const NOT_DUE = ["not_due", "not_due", "not_due"] as const;
const WAITING = ["waiting", "waiting", "waiting"] as const;
const MISSING = ["missing", "missing", "missing"] as const;
const UNUSED = ["unused", "unused", "unused"] as const;

export function buildMiniChain(facts: ChainFacts): MiniChainView {
  const local = facts.about.path !== "provider" && facts.provider === undefined;
  switch (facts.state) {
    case "IN_PROGRESS":
      return facts.provider === undefined
        ? ["done", "moving", local ? "unused" : "waiting", ...WAITING]
        : ["done", "done", "moving", ...WAITING];
    case "STALE":
      return facts.provider === "sent" || facts.provider === "answered"
        ? ["done", "done", "unknown", ...MISSING]
        : ["done", "unknown", local ? "unused" : "missing", ...MISSING];
    case "UNKNOWN_REQUIRES_RECOVERY":
      return ["done", "done", "unknown", ...MISSING];
    case "FAILED_RETRYABLE":
      return ["done", "done", local ? "unused" : "waiting", ...WAITING];
    case "FAILED_REPLAYABLE":
      return refused(facts);
    case "COMPLETED":
    case "EXPIRED":
      return settled(facts, local);
  }
}

/** Refused before anything left, by the provider, or by a person's decision that the provider has not confirmed. */
function refused({ provider, answer, word }: ChainFacts): MiniChainView {
  if (provider === undefined || provider === "prepared" || (answer === "no_effect" && word === undefined))
    return ["done", "refused", "not_due", ...NOT_DUE];
  return ["done", "done", word === "declined" ? "refused" : "unconfirmed", ...NOT_DUE];
}

function settled(facts: ChainFacts, local: boolean): MiniChainView {
  if (facts.state === "EXPIRED" && (facts.responseStatus ?? 0) >= 400) return refused(facts);
  if (facts.state === "EXPIRED" && facts.responseStatus === undefined) {
    return facts.provider === undefined
      ? ["done", "done", local ? "unused" : "not_due", ...NOT_DUE]
      : ["done", "done", "waiting", ...NOT_DUE];
  }
  const sent = facts.provider === "sent" || facts.provider === "answered";
  const provider: MiniStation = local ? "unused" : sent && facts.word !== "succeeded" ? "unconfirmed" : "done";
  const { event, entry } = facts.about.expects;
  const unposted = !isLeft(entry);
  const rows = facts.outbox.pending + facts.outbox.dead + facts.outbox.published;
  if (rows === 0 && facts.ledger === 0 && facts.inbox.recorded + facts.inbox.processed + facts.inbox.dead === 0) {
    if (unposted || facts.state === "EXPIRED") return ["done", "done", provider, ...UNUSED];
    return ["done", "done", provider, ...(isLeft(event) ? MISSING : (["unused", "unused", "missing"] as const))];
  }
  const outbox = outboxStation(facts);
  const inbox = inboxStation(facts, outbox);
  return ["done", "done", provider, outbox, inbox, ledgerStation(facts, inbox, unposted)];
}

function outboxStation(facts: ChainFacts): MiniStation {
  if (facts.outbox.dead > 0) return "dead";
  return facts.outbox.pending > 0 ? "moving" : "done";
}

function inboxStation(facts: ChainFacts, outbox: MiniStation): MiniStation {
  const { recorded, processed, dead } = facts.inbox;
  if (dead > 0) return "dead";
  if (recorded > 0) return "moving";
  if (processed > 0) return "done";
  return outbox === "dead" ? "missing" : "waiting";
}

function ledgerStation(facts: ChainFacts, inbox: MiniStation, unposted: boolean): MiniStation {
  if (facts.ledger > 0) return "done";
  if (unposted) return "unused";
  return inbox === "dead" || inbox === "missing" ? "missing" : "waiting";
}
