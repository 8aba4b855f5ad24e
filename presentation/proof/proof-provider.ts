import { claimOfCount, type Judgement, proofRowsOf, remark, unseen, type ProofCase } from "./proof-case";
import { objectsMade } from "../operation/operation-record";
import type { ProofCall } from "@/domain/checks/proof-facts";
import type { ProofRow } from "./proof-statement";
import { plural, times } from "../format/words";
import { claimWords, firstWords, type PageClaim } from "@/domain/page-claim";

const NO_EFFECT: ReadonlySet<string | undefined> = new Set(["declined", "no_effect", "absent"]);

/** Calls that move something; look-ups only ask. */
export function effectCallsOf({ facts }: ProofCase): readonly ProofCall[] {
  return facts.calls.rows.filter((call) => call.kind !== "lookup");
}

export function sentCallsOf(it: ProofCase): readonly ProofCall[] {
  return effectCallsOf(it).filter((call) => call.state !== "prepared");
}

/** Different objects that the provider says it made; a signed event counts where no answer names one. */
export function providerEffects({ facts }: ProofCase): number {
  const named = facts.calls.rows.filter((call) => call.outcome === "succeeded");
  if (named.length > 0) return objectsMade(named);
  return facts.inbox.rows.some((row) => row.says === "succeeded") ? 1 : 0;
}

// An operation that never leaves this database makes none of the claims below.

interface KeysUsed {
  readonly all: ReadonlySet<string>;
  /** Declined for good; where a policy lets the command run again after that, it runs under the next name. */
  readonly closed: ReadonlySet<string>;
}

function keysUsed({ facts }: ProofCase): KeysUsed {
  const calls = facts.calls.rows;
  const all = new Set([
    ...calls.map((call) => call.providerKey),
    ...facts.made.rows.flatMap((row) => row.providerKey ?? []),
    ...(facts.open?.providerKey === undefined ? [] : [facts.open.providerKey]),
  ]);
  const [first = ""] = [...all].sort((one, other) => one.length - other.length);
  const family = [...all].every((key) => key === first || /^_\d+$/.test(key.slice(first.length)));
  const of = (outcome: string): Set<string> =>
    new Set(calls.filter((call) => call.outcome === outcome).map((call) => call.providerKey));
  const moved = of("succeeded");
  const closed = [...of("declined")].filter((key) => !moved.has(key));
  return { all, closed: new Set(family && all.size > 1 ? closed : []) };
}

/** Every call, every look-up, every row names the same stable key, so the provider can tell them for one. */
export function oneProviderKey(it: ProofCase): Judgement | undefined {
  const { facts, outcome, expected } = it;
  if (expected.provider === undefined) return undefined;
  const { all, closed } = keysUsed(it);
  const sent = sentCallsOf(it).filter((call) => !closed.has(call.providerKey)).length;
  const asked = all.size > 0 || outcome === "made";
  const unprepared = outcome === "unsettled" && all.size === 0;
  const idle = facts.calls.gap === undefined && facts.calls.rows.every(({ state }) => state === "prepared");
  return claimOfCount({
    text: firstWords(ASKED_CLAIMS, {
      asked: expected.provider.asked,
      never: !asked && !unprepared,
      unsent: all.size > 0 && idle,
      closed: closed.size,
    }),
    expected: asked || unprepared ? 1 : 0,
    counted: Math.max(all.size - closed.size, Math.min(1, all.size)),
    rows: proofRowsOf("provider_requests", facts.calls.rows),
    thing: ["provider key", "provider keys"],
    unseen: unseen(it, "calls"),
    waits: unprepared ? "Nothing is prepared for the provider yet." : undefined,
    remark: remark(PROVIDER_KEY_NOTES, { sent, closed: closed.size }),
  });
}

/** How the provider was asked, as far as the journal of its calls says. */
interface Asked {
  /** Under one key. */
  readonly asked: string;
  readonly never: boolean;
  /** A key is there, and nothing left under it. */
  readonly unsent: boolean;
  /** Names under which it declined for good. */
  readonly closed: number;
}

/** What has to be so of the names that the provider was asked under: the first that holds. */
export const ASKED_CLAIMS: readonly PageClaim<Asked>[] = [
  { name: "never", holds: ({ never }) => never, words: () => "The provider was never asked." },
  {
    name: "declined before",
    holds: ({ closed }) => closed > 0,
    words: () => "The provider was asked under a new key only after it had declined.",
  },
  {
    name: "prepared",
    holds: ({ unsent }) => unsent,
    words: () => "One key was prepared for the provider, and nothing was sent to it.",
  },
  { name: "one key", holds: () => true, words: ({ asked }) => asked },
];

/** Of the names that the provider was asked under. */
interface AskedUnder {
  /** Calls under the one that is not closed. */
  readonly sent: number;
  /** Names under which it declined for good. */
  readonly closed: number;
}

export const PROVIDER_KEY_NOTES: readonly PageClaim<AskedUnder>[] = [
  {
    name: "sent again",
    holds: ({ sent }) => sent > 1,
    words: ({ sent }) => `Sent ${times(sent)} under it; the provider takes them for one.`,
  },
  {
    name: "declined before",
    holds: ({ closed }) => closed > 0,
    words: ({ closed }) => `Declined for good under ${plural(closed, "name")}.`,
  },
];

/** An earlier try may have an answer that says so; it says nothing of the last one. */
export const NO_WORD = "The provider's last word, if there is one, is not that it did nothing.";

export function actedOnce(it: ProofCase): Judgement | undefined {
  const { outcome, expected } = it;
  if (expected.provider === undefined) return undefined;
  const { acted, idle } = expected.provider;
  const counted = providerEffects(it);
  const base = { counted, rows: wordsOf(it), thing: ["provider effect", "provider effects"] as const };
  const once = { ...base, name: "provider_acted_once", text: acted, expected: 1 };
  if (outcome === "unsettled")
    return claimOfCount({ ...once, waits: "No final word of the provider has been turned into an answer yet." });
  const unread = unseen(it, "calls");
  if (outcome === "made")
    return claimOfCount({ ...once, unseen: unread ?? (counted === 0 ? personDecided(it, "succeeded") : undefined) });
  const doubt = personDecided(it, "failed") ?? (saidNothingHappened(it) ? undefined : NO_WORD);
  return claimOfCount({ ...base, name: "provider_did_nothing", text: idle, expected: 0, unseen: unread ?? doubt });
}

/** Answers and signed events in which the provider says something final. */
function wordsOf({ facts }: ProofCase): ProofRow[] {
  const calls = facts.calls.rows.filter((call) => call.outcome === "succeeded" || NO_EFFECT.has(call.outcome));
  const events = facts.inbox.rows.filter((row) => row.says === "succeeded" || row.says === "failed");
  return [...proofRowsOf("provider_requests", calls), ...proofRowsOf("inbox_messages", events)];
}

/** Nothing was sent, or the last word on the last try is that there was no effect: an earlier try says nothing about it. */
function saidNothingHappened(it: ProofCase): boolean {
  const { calls, inbox } = it.facts;
  const key = sentCallsOf(it).at(-1)?.providerKey;
  if (key === undefined) return true;
  const results = calls.rows.filter((call) => call.providerKey === key && call.state !== "prepared");
  const failed = inbox.rows.some((row) => row.says === "failed" && row.providerKey === key);
  return failed || results.some((call) => call.outcome === "declined") || NO_EFFECT.has(results.at(-1)?.outcome);
}

/** A person's decision is named and does not count as an answer of the provider. */
export function personDecided(it: ProofCase, decision: "succeeded" | "failed"): string | undefined {
  const asked = { about: decision, sent: sentCallsOf(it).length, saidNothing: saidNothingHappened(it) };
  return it.hand && claimWords(DECIDED_CLAIMS, { ...it.hand, ...asked })[0];
}

type Decided = NonNullable<ProofCase["hand"]> & {
  readonly about: "succeeded" | "failed";
  readonly sent: number;
  /** The provider knew of no effect when it was asked last, or nothing was sent. */
  readonly saidNothing: boolean;
};

/** What a decision rests on that the provider has not confirmed. */
export const DECIDED_CLAIMS: readonly PageClaim<Decided>[] = [
  {
    name: "nothing sent",
    holds: ({ stand, about, sent }) => stand === "not confirmed" && about === "failed" && sent === 0,
    words: ({ by }) => `${by} settled it with evidence; nothing was sent that the provider could confirm.`,
  },
  {
    name: "no effect known",
    holds: ({ stand, about, sent, saidNothing }) =>
      stand === "not confirmed" && about === "failed" && sent > 0 && saidNothing,
    words: ({ by }) =>
      `${by} settled it with evidence; the provider knew of no effect when it was asked last, and that is not final.`,
  },
  {
    name: "only a person",
    holds: ({ stand, about, saidNothing }) => stand !== "confirmed" && !(about === "failed" && saidNothing),
    words: ({ by, about }) =>
      `${by} settled it with evidence; no answer or signed event of the provider says ${about === "succeeded" ? "that it acted" : "that it did not act"}.`,
  },
];

export function noContradiction(it: ProofCase): Judgement | undefined {
  const { facts, outcome } = it;
  if (it.expected.provider === undefined) return undefined;
  const other = facts.calls.rows.filter((call) => call.outcome === "contradicting");
  const yes = facts.calls.rows.filter((call) => call.outcome === "succeeded");
  const { closed } = keysUsed(it);
  const no = facts.calls.rows.filter((call) => call.outcome === "declined" && !closed.has(call.providerKey));
  const yesEvents = facts.inbox.rows.filter((row) => row.says === "succeeded");
  const noEvents = facts.inbox.rows.filter((row) => row.says === "failed" && !closed.has(row.providerKey ?? ""));
  const both = yes.length + yesEvents.length > 0 && no.length + noEvents.length > 0;
  const against =
    outcome === "made" || (outcome === "unsettled" && both)
      ? [...proofRowsOf("provider_requests", no), ...proofRowsOf("inbox_messages", noEvents)]
      : outcome === "unsettled"
        ? []
        : [...proofRowsOf("provider_requests", yes), ...proofRowsOf("inbox_messages", yesEvents)];
  const rows = [...against, ...proofRowsOf("provider_requests", other)];
  const claim = claimOfCount({
    text: "Nothing that the provider said contradicts it.",
    expected: 0,
    counted: rows.length,
    rows: rows.length > 0 ? rows : wordsOf(it),
    thing: ["contradicting word of the provider", "contradicting words of the provider"],
    unseen: unseen(it, "calls"),
  });
  // Nothing was answered yet that it could contradict: it is why the outcome is unknown.
  if (outcome !== "unsettled" || claim.status !== "fails") return claim;
  return {
    ...claim,
    status: "open",
    note: "The provider says what does not fit: a look-up or a person has to settle it.",
  };
}
