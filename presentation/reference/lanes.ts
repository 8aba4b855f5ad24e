import { firstWords, type PageClaim } from "@/domain/page-claim";
import { plural, times } from "../format/words";
import type { Tone } from "../format/glyph";
import type { ReferenceLane } from "../views/references";
import { statement, type TonedClaim } from "./claim";
import type { MoneyKeyFacts, ReferenceFacts, WebhookFacts } from "./facts";
import { amounts } from "./headline";
import { shownAnswer } from "../operation/shown-answer";
import { isDuplicateReference } from "./lede";
import { isOwed } from "./ledger";
import { timesMoved, isOpen, moneyOutcome, wasSent } from "./outcomes";

/** Requests whose answers stand in the table of keys. */
const ANSWERS = 12;
const WORD = { payment: "charged", refund: "refunded", void: "voided" } as const;
const NAME = { payment: "Key", refund: "Refund", void: "Void" } as const;
const REASONS: Readonly<Record<string, string>> = {
  "payment.insufficient_funds": "Declined: insufficient funds",
  "payment.duplicate_reference": "Refused: the reference had a payment already",
  "refund.only_once": "Refused: the payment had a refund already",
  "refund.exceeds_remaining": "Refused: more than was left of the payment",
  "payment.not_voidable": "Refused: the payment could not be voided",
};

const word = (effect: MoneyKeyFacts): string => WORD[effect.kind];
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What became of one key: exactly one of these holds. */
const LANE: readonly TonedClaim<MoneyKeyFacts>[] = [
  {
    name: "moved_again",
    tone: "broken",
    holds: (effect) => timesMoved(effect) > 1,
    words: (effect) => `${capital(word(effect))} ${times(timesMoved(effect))} at the provider`,
  },
  {
    name: "moved_not_posted",
    tone: "doubt",
    holds: (effect) => timesMoved(effect) === 1 && effect.ledger.length === 0,
    words: (effect) => `${capital(word(effect))}, not in the ledger yet`,
  },
  {
    name: "moved",
    holds: (effect) => timesMoved(effect) === 1,
    words: (effect) => (effect.status === "voided" ? "Charged, voided later" : capital(word(effect))),
  },
  {
    name: "by_hand",
    tone: "doubt",
    holds: (effect) => moneyOutcome(effect) === "by_hand",
    words: (effect) => `Settled by hand as ${word(effect)}, the provider has not confirmed it`,
  },
  {
    name: "contradicted",
    tone: "doubt",
    holds: (effect) => moneyOutcome(effect) === "unknown" && !isOpen(effect),
    words: () => "Our books say no, a signed webhook says it succeeded",
  },
  {
    name: "in_progress",
    tone: "doubt",
    holds: (effect) => moneyOutcome(effect) === "unknown" && effect.state === "IN_PROGRESS",
    words: () => "In progress",
  },
  {
    name: "unknown",
    tone: "doubt",
    holds: (effect) => moneyOutcome(effect) === "unknown",
    words: () => "Unknown: sent to the provider, no final answer",
  },
  {
    name: "refused_by_hand",
    tone: "doubt",
    holds: (effect) => moneyOutcome(effect) === "refused_by_hand",
    words: (effect) => `Settled by hand as not ${word(effect)}, the provider has not confirmed it`,
  },
  {
    name: "nothing_sent",
    holds: (effect) => isOpen(effect),
    words: () => "Nothing was sent; recovery ends it without effect",
  },
  {
    name: "may_retry",
    holds: ({ state }) => state === "FAILED_RETRYABLE",
    words: (effect) => (wasSent(effect) ? "Failed without effect" : "Ended before anything was sent"),
  },
  {
    name: "refused",
    holds: () => true,
    words: ({ errorCode, kind }) =>
      errorCode === undefined ? `Ended, nothing ${WORD[kind]}` : (REASONS[errorCode] ?? `Refused: ${errorCode}`),
  },
];

/** @returns the lane of one key */
export function effectLane(effect: MoneyKeyFacts, name: string): ReferenceLane {
  const [said] = statement(LANE, effect);
  const text = said?.text ?? "";
  const tone: Tone = said?.tone === undefined || said.tone === "fine" ? "ink" : said.tone;
  const result = resultOf(effect);
  const note = noteOf(effect);
  return {
    id: effect.operationId,
    kind: effect.kind,
    name,
    detail: effect.key ?? "key deleted since",
    operationId: effect.operationId,
    href: effect.key === undefined ? undefined : `/operations/${effect.operationId}`,
    outcome: { glyph: glyphOf(effect), tone, text },
    result,
    note,
    answers: {
      answers: effect.requests.slice(0, ANSWERS).map(shownAnswer),
      total: effect.requests.length,
    },
    firstAt: effect.requests[0]?.at ?? effect.createdAt,
    spoken: firstWords(SPOKEN_CLAIMS, { name, text, result: result.text, note }),
  };
}

interface SpokenFacts {
  readonly name: string;
  readonly text: string;
  readonly result: string;
  readonly note: string;
}

/** A lane for whoever does not see it: what it says in its cells. */
const SPOKEN_CLAIMS: readonly PageClaim<SpokenFacts>[] = [
  {
    name: "a key",
    holds: ({ text }) => text !== "",
    words: ({ name, text, result, note }) => `${name}: ${text}. Moved ${result}. ${note}.`,
  },
];

function glyphOf(effect: MoneyKeyFacts): ReferenceLane["outcome"]["glyph"] {
  if (isOwed(effect)) return "executed";
  switch (moneyOutcome(effect)) {
    case "unknown":
      return effect.state === "IN_PROGRESS" || effect.state === "STALE" ? effect.state : "unknown";
    case "refused_by_hand":
      return "FAILED_REPLAYABLE";
    default:
      return effect.state === "FAILED_RETRYABLE" || effect.state === "EXPIRED" ? effect.state : "FAILED_REPLAYABLE";
  }
}

/** What it moved, with its sign: money taken is plus, money given back is minus. */
function resultOf(effect: MoneyKeyFacts): ReferenceLane["result"] {
  const { money, kind } = effect;
  const often = timesMoved(effect);
  const sign = kind === "payment" ? "+" : "−";
  const amount =
    money === undefined ? "an amount" : amounts([{ ...money, minor: money.minor * BigInt(Math.max(1, often)) }]);
  switch (moneyOutcome(effect)) {
    case "moved":
      return { text: `${sign}${amount}`, tone: often > 1 ? "broken" : "ink", strong: true };
    case "by_hand":
      return { text: `${sign}${amount} by hand`, tone: "doubt", strong: true };
    case "unknown":
      return { text: `at most ${sign}${amount}`, tone: "doubt", strong: true };
    case "refused_by_hand":
      return { text: "nothing, by hand", tone: "doubt", strong: false };
    case "none":
      return { text: "nothing", tone: "ink", strong: false };
  }
}

function noteOf(effect: MoneyKeyFacts): string {
  const { requests, moreRequests } = effect;
  // Whoever made the key asked once at least: a caller that left got no answer, and an old answer may be purged.
  if (requests.length === 0) return "no answer on record";
  const count = moreRequests ? `${String(requests.length)}+ requests` : plural(requests.length, "request");
  const other = requests.filter(({ outcome }) => outcome === "conflict").length;
  const refused = other === 0 ? "" : `, ${String(other)} of another command`;
  return `${count}${refused}${isDuplicateReference(effect) ? ", refused" : ""}`;
}

/** Names of lanes in order: one refund is "Refund", several are numbered. */
export function laneNames(facts: ReferenceFacts): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const kind of ["payment", "refund", "void"] as const) {
    const its = [...facts.payments, ...facts.reversals].filter((effect) => effect.kind === kind);
    const numbered = kind === "payment" || its.length > 1;
    its.forEach((effect, index) => {
      names.set(effect.operationId, numbered ? `${NAME[kind]} ${String(index + 1)}` : NAME[kind]);
    });
  }
  return names;
}

export const WEBHOOKS_LANE = "webhooks";

interface Heard {
  readonly effect: MoneyKeyFacts;
  readonly hook: WebhookFacts;
}

function heard({ payments, reversals }: ReferenceFacts): readonly Heard[] {
  return [...payments, ...reversals].flatMap((effect) => effect.webhooks.map((hook) => ({ effect, hook })));
}

function contradicts({ effect, hook }: Heard): boolean {
  if (hook.otherMoney) return true;
  const outcome = moneyOutcome(effect);
  if (hook.says === "succeeded") return outcome === "none" || outcome === "refused_by_hand" || !isKnown(effect);
  return hook.says === "failed" && isOwed(effect);
}

/** Settled against a webhook: what it says cannot agree. */
function isKnown(effect: MoneyKeyFacts): boolean {
  return moneyOutcome(effect) !== "unknown" || isOpen(effect);
}

const settles = ({ effect, hook }: Heard): boolean =>
  !contradicts({ effect, hook }) &&
  ((hook.says === "succeeded" && isOwed(effect)) || (hook.says === "failed" && moneyOutcome(effect) === "none"));

/** How the provider's webhooks stand to what our books say: the first that holds. */
const WEBHOOKS: readonly TonedClaim<ReferenceFacts>[] = [
  {
    name: "webhooks_contradict",
    tone: "broken",
    holds: (facts) => heard(facts).some(contradicts),
    words: (facts) => {
      const count = heard(facts).filter(contradicts).length;
      return `${String(count)} ${count === 1 ? "contradicts" : "contradict"}`;
    },
  },
  {
    name: "webhooks_agree",
    holds: (facts) => heard(facts).length > 0 && heard(facts).every(settles),
    words: () => "agree",
  },
  {
    name: "webhooks_open",
    holds: (facts) => heard(facts).length > 0,
    words: (facts) => `${String(heard(facts).filter(settles).length)} of ${String(heard(facts).length)} confirm`,
  },
];

/** The provider's webhooks; undefined where none came. */
export function webhooksLane(facts: ReferenceFacts): ReferenceLane | undefined {
  const all = heard(facts);
  const [first] = all.map(({ hook }) => hook.at).sort();
  const [said] = statement(WEBHOOKS, facts);
  if (first === undefined || said === undefined) return undefined;
  const copies = all.reduce((sum, { hook }) => sum + hook.duplicates, 0);
  const note = `${String(all.length)} received${copies === 0 ? "" : `, ${plural(copies, "duplicate")}`}`;
  const sources = [...new Set(all.map(({ hook }) => hook.source))].join(", ");
  const tone: Tone = said.tone === "fine" ? "ink" : said.tone;
  return {
    id: WEBHOOKS_LANE,
    kind: "webhooks",
    name: "Webhooks",
    detail: `${sources}, signed`,
    outcome: { glyph: "processed", tone, text: `${capital(said.text)}: ${note}` },
    result: { text: said.text, tone, strong: said.tone !== "fine" },
    note,
    answers: { answers: [], total: 0 },
    firstAt: first,
    spoken: `Webhooks: ${said.text}. ${note}.`,
  };
}
