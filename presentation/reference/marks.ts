import { cutName } from "../format/cut-middle";
import { glyphWord } from "../format/glyph";
import type { LineKind, ReferenceEvent } from "../views/references";
import type { MoneyKeyFacts, ReferenceFacts, RequestFacts } from "./facts";
import { WEBHOOKS_LANE } from "./lanes";
import { isOwed } from "./ledger";
import { isOpen, movedAt, moneyOutcome } from "./outcomes";

const VERB = { payment: "Charged", refund: "Refunded", void: "Voided" } as const;

/** Everything under the reference as marks of its lanes, in order of time. */
export function eventsOf(facts: ReferenceFacts, names: ReadonlyMap<string, string>): readonly ReferenceEvent[] {
  const effects = [...facts.payments, ...facts.reversals];
  const events = effects.flatMap((effect) => {
    const lane = { lane: effect.operationId, laneName: names.get(effect.operationId) ?? "" };
    return [...effectEvents(effect).map((event) => ({ ...event, ...lane })), ...webhookEvents(effect)];
  });
  return events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

type Mark = Omit<ReferenceEvent, "lane" | "laneName">;

function effectEvents(effect: MoneyKeyFacts): readonly Mark[] {
  const href = effect.key === undefined ? undefined : `/operations/${effect.operationId}`;
  const marks = effect.requests.map((request): Mark => ({
    ...requestMark(effect, request),
    href: hrefOf(request) ?? href,
  }));
  const own = ownMark(effect);
  const all = own === undefined ? marks : [...marks, { ...own, href }];
  return withLine(effect, all);
}

function hrefOf({ outcome, id }: RequestFacts): string | undefined {
  return outcome === "conflict" ? `/conflicts?open=${id}` : undefined;
}

/** A refusal is no execution: a solid disc is money that moved. */
function requestMark(effect: MoneyKeyFacts, { id, at, outcome, status, differingFields }: RequestFacts): Mark {
  if (outcome === "executed" && (status ?? 0) >= 400)
    return { id, at, glyph: "FAILED_REPLAYABLE", text: `Refused, ${String(status)}` };
  if (outcome === "executed") return { id, at, glyph: "executed", text: VERB[effect.kind] };
  if (outcome === "conflict") return { id, at, glyph: "conflict", text: `Refused: ${differing(differingFields)}` };
  return { id, at, glyph: outcome, text: glyphWord(outcome) };
}

/** Names of what differs from the key's command, never values. */
function differing(names: readonly string[]): string {
  if (names.length === 0) return "another command";
  return `${names.map(cutName).join(", ")} ${names.length === 1 ? "differs" : "differ"}`;
}

/** What no answer to a caller shows: an outcome that was learned or settled later, and a key that nobody was answered about. */
function ownMark(effect: MoneyKeyFacts): Mark | undefined {
  const id = `own-${effect.operationId}`;
  if (isOwed(effect)) {
    if (effect.requests.some(({ outcome, status }) => outcome === "executed" && (status ?? 0) < 400)) return undefined;
    const byHand = moneyOutcome(effect) === "by_hand";
    const text = byHand
      ? `Settled by hand as ${VERB[effect.kind].toLowerCase()}`
      : `${VERB[effect.kind]}, learned later`;
    return { id, at: movedAt(effect), glyph: "executed", tone: byHand ? "doubt" : undefined, text };
  }
  if (effect.requests.length > 0) return undefined;
  const glyph = isOpen(effect) ? (effect.state ?? "unknown") : "FAILED_REPLAYABLE";
  return { id, at: effect.createdAt, glyph, text: isOpen(effect) ? "Began" : "Ended, nothing moved" };
}

/** The mark from which the line goes down to the ledger. */
function withLine(effect: MoneyKeyFacts, marks: readonly Mark[]): readonly Mark[] {
  const line = lineOf(effect);
  if (line === undefined) return marks;
  const from =
    line === "doubt"
      ? (marks.find(({ glyph }) => glyph === "unknown") ?? marks.at(-1))
      : marks.find(({ glyph }) => glyph === "executed");
  return marks.map((mark) => (mark === from ? { ...mark, line } : mark));
}

function lineOf(effect: MoneyKeyFacts): LineKind | undefined {
  switch (moneyOutcome(effect)) {
    case "moved":
      return effect.ledger.length > 0 ? "solid" : "open";
    case "by_hand":
      return "by_hand";
    case "unknown":
      return "doubt";
    case "none":
    case "refused_by_hand":
      return undefined;
  }
}

const LANE = { lane: WEBHOOKS_LANE, laneName: "Webhooks" } as const;

function webhookEvents(effect: MoneyKeyFacts): readonly ReferenceEvent[] {
  return effect.webhooks.flatMap((hook) => {
    const { id, at, type, state, says, otherMoney } = hook;
    const glyph = state === "processed" || state === "dead" || state === "discarded" ? state : "recorded";
    const text = `${type}${otherMoney ? ", another amount or currency" : ""}`;
    const line = says === "succeeded" && isOwed(effect) && !otherMoney ? ("confirms" as const) : undefined;
    const href = `/inbox/${id}`;
    return [
      { ...LANE, id, at, glyph, text, href, line },
      ...hook.duplicatesAt.map((again, index) => ({
        ...LANE,
        id: `${id}-${String(index)}`,
        at: again,
        glyph: "duplicate" as const,
        text: `${type}, duplicate`,
        href,
      })),
    ];
  });
}
