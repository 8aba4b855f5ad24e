import {
  claimOfCount,
  gapText,
  madeRowsOf,
  NOT_YET,
  proofRowsOf,
  remark,
  unconfirmed,
  unseen,
  type Count,
  type Judgement,
  type ProofCase,
} from "./proof-case";
import { LEDGER_CONSUMER } from "@/domain/messages/ledger-consumer";
import { REFERENCE_BY_HAND } from "@/domain/idempotency/provider-capabilities";
import {
  ARRIVAL_NOTES,
  consumersOf,
  DELIVERY_CLAIMS,
  DIFFERENCE_CLAIMS,
  EVENT_CLAIMS,
  HANDLED_CLAIMS,
  HANDLING_CLAIMS,
  UNHANDLED_CLAIMS,
} from "./proof-effect-claims";
import { NONE } from "@/domain/operation-kind";
import type { ProofArrival, ProofEntry, ProofMade, ProofMessage, ProofMoney } from "@/domain/checks/proof-facts";
import { effectCallsOf } from "./proof-provider";
import type { ProofRow } from "./proof-statement";
import { claimWords, firstWords } from "@/domain/page-claim";

type Claim = Judgement | undefined;

const EFFECTIVE: ReadonlySet<string | undefined> = new Set([undefined, "succeeded", "voided"]);

const isOver = (it: ProofCase): boolean => it.outcome !== "unsettled" && it.outcome !== "retryable";
/** While the outcome is open nothing may be there yet; what is there counts as too much. */
const expectedNow = (it: ProofCase, counted: number): number =>
  it.outcome === "made" ? 1 : isOver(it) || counted > 0 ? 0 : 1;

function sameMoney(one: ProofMoney | undefined, other: ProofMoney | undefined): boolean {
  return one === undefined || other === undefined || (one.minor === other.minor && one.currency === other.currency);
}

interface Trace extends Pick<Count, "name" | "rows" | "thing" | "unseen"> {
  /** "ledger entry", "was posted": one, or none, of it. */
  readonly noun: string;
  readonly verb: string;
  readonly found: readonly unknown[];
  /** There must be none, whatever became of the operation. */
  readonly never?: boolean;
  /** What it still waits for when the operation has ended. */
  readonly later?: string | undefined;
  /** Why the one that was found is not the right one. */
  readonly wrong?: string | undefined;
}

/** A trace that an effect leaves once, and nothing else leaves. */
function leftOnce(it: ProofCase, { noun, verb, found, never = false, later, wrong, ...count }: Trace): Judgement {
  const expected = never ? 0 : expectedNow(it, found.length);
  const claim = claimOfCount({
    ...count,
    text: `${expected === 0 && (isOver(it) || never) ? "No" : "One"} ${noun} ${verb}.`,
    expected,
    counted: found.length,
    waits: never ? undefined : isOver(it) ? later : NOT_YET,
  });
  return claim.status === "holds" && wrong !== undefined ? { ...claim, status: "fails", note: wrong } : claim;
}

export function oneRow(it: ProofCase): Claim {
  const { effect } = it.expected;
  if (effect === undefined) return undefined;
  const { made } = it.facts;
  const found = made.rows.filter((each) => EFFECTIVE.has(each.status));
  const noun = effect.label.toLowerCase();
  return leftOnce(it, {
    name: `one_${effect.kind}`,
    noun,
    verb: unconfirmed(it) ? "was booked by this decision" : "took effect",
    found,
    rows: madeRowsOf(found.length > 0 ? found : made.rows),
    thing: [`${noun} in effect`, `${noun}s in effect`],
    unseen: made.gap && gapText(`${noun}s of this operation`, made.gap),
  });
}

/** Rows whose account, reference, amount or provider reference is not that of the command that owns the key. */
export function differingRows(it: ProofCase): readonly ProofRow[] {
  const { request } = it.facts;
  const calls = effectCallsOf(it).filter((call) => !sameMoney(call.money, request.money));
  const made = it.facts.made.rows.filter((row) => differs(it, row));
  return [...proofRowsOf("provider_requests", calls), ...madeRowsOf(made)];
}

/** What stands for a reference that a person did not know names no object. */
const isReference = (reference: string | undefined): reference is string =>
  reference !== undefined && reference !== REFERENCE_BY_HAND;

function differs(it: ProofCase, row: ProofMade): boolean {
  const { request, calls } = it.facts;
  const other = (mine: string | undefined, theirs: string | undefined): boolean =>
    mine !== undefined && theirs !== undefined && mine !== theirs;
  const named = calls.rows.filter((call) => call.outcome === "succeeded").flatMap((call) => call.reference ?? []);
  const foreign = named.length > 0 && isReference(row.providerReference) && !named.includes(row.providerReference);
  return (
    foreign ||
    other(row.account, request.account) ||
    other(row.reference, request.reference) ||
    !sameMoney(row.money, request.money)
  );
}

export function firstCommandClaim(it: ProofCase): Claim {
  const differing = differingRows(it);
  const compared = [...proofRowsOf("provider_requests", effectCallsOf(it)), ...madeRowsOf(it.facts.made.rows)];
  if (compared.length === 0) return undefined;
  return claimOfCount({
    text: "Account, amount and references are those of the first command everywhere.",
    expected: 0,
    counted: differing.length,
    rows: differing.length > 0 ? differing : compared,
    thing: ["row that differs from the first command", "rows that differ from the first command"],
    failure: claimWords(DIFFERENCE_CLAIMS, differing)[0],
  });
}

/** One event beside the effect, written in its transaction; none beside a refusal. */
export function oneEvent(it: ProofCase): Claim {
  const { event } = it.expected;
  const { rows } = it.facts.outbox;
  if (event === undefined) return undefined;
  return leftOnce(it, {
    noun: "event",
    verb: "was written",
    found: rows,
    never: event === NONE,
    rows: proofRowsOf("outbox_messages", rows),
    thing: ["event", "events"],
    unseen: unseen(it, "outbox"),
    wrong: claimWords(EVENT_CLAIMS, { rows, expected: event })[0],
  });
}

export function delivered(it: ProofCase): Claim {
  const { rows } = it.facts.outbox;
  if (rows.length === 0) return undefined;
  const published = rows.filter((row) => row.state === "published").length;
  const discarded = rows.some((row) => row.state === "discarded");
  const waiting = published < rows.length && !discarded;
  return claimOfCount({
    text: rows.length === 1 ? "It was delivered." : "All of them were delivered.",
    expected: rows.length,
    counted: published,
    rows: proofRowsOf("outbox_messages", rows),
    thing: ["delivery", "deliveries"],
    failure: discarded ? "A person discarded the event: it is no longer sent." : undefined,
    waits: waiting ? firstWords(DELIVERY_CLAIMS, rows) : undefined,
  });
}

export function ownArrivals({ facts }: ProofCase): readonly ProofArrival[] {
  const ids = new Set(facts.outbox.rows.map((row) => row.id));
  return facts.inbox.rows.filter((row) => row.own && (ids.size === 0 || ids.has(row.messageId)));
}

/** Published to a broker and arrived nowhere yet, as far as arrivals are still kept. */
function isInBroker(it: ProofCase): boolean {
  const { outbox, inbox } = it.facts;
  const sent = outbox.rows.some(({ to, state }) => to === "broker" && state === "published");
  return sent && ownArrivals(it).length === 0 && inbox.gap === undefined;
}

/** Delivered at least once, handled once: the inbox removes duplicates. */
export function eachConsumerOnce(it: ProofCase): Claim {
  const { outbox } = it.facts;
  const rows = ownArrivals(it);
  const published = outbox.rows.some((row) => row.state === "published");
  // An event of another service may go to a receiver outside: its inbox is not ours to count.
  const outside = it.expected.event === undefined || outbox.rows.some((row) => row.to === "elsewhere");
  if (rows.length === 0 && (!published || outside)) return undefined;
  const consumers = consumersOf(rows);
  const processed = rows.filter((row) => row.state === "processed").length;
  const discarded = rows.some((row) => row.state === "discarded");
  const inBroker = isInBroker(it);
  return claimOfCount({
    text: firstWords(HANDLED_CLAIMS, rows),
    expected: Math.max(1, consumers),
    counted: rows.length > consumers ? rows.length : processed,
    rows: proofRowsOf("inbox_messages", rows),
    thing: ["handling", "handlings"],
    failure: claimWords(UNHANDLED_CLAIMS, rows)[0],
    unseen: unseen(it, "inbox"),
    waits: inBroker
      ? "A broker has the event; no consumer of ours took it yet."
      : rows.length === 0 || processed >= consumers || discarded
        ? undefined
        : firstWords(HANDLING_CLAIMS, rows),
    remark: remark(ARRIVAL_NOTES, rows),
  });
}

export function oneEntry(it: ProofCase): Claim {
  const { entry } = it.expected;
  const { rows } = it.facts.ledger;
  if (entry === undefined) return undefined;
  const stray = rows.some((row) => isStray(it, row, entry));
  return leftOnce(it, {
    noun: "ledger entry",
    verb: "was posted",
    found: rows,
    never: entry === NONE,
    rows: proofRowsOf("entries", rows),
    thing: ["ledger entry", "ledger entries"],
    unseen: unseen(it, "ledger"),
    later: rows.length === 0 ? entryOnItsWay(it) : undefined,
    wrong: stray ? "The ledger entry names another operation, another row or another type." : undefined,
  });
}

function isStray({ facts }: ProofCase, row: ProofEntry, entry: string): boolean {
  const { rows } = facts.made;
  const known = row.sourceId === undefined || rows.length === 0 || rows.some((made) => made.id === row.sourceId);
  return row.entryType !== entry || row.operationId !== facts.request.operationId || !known;
}

/** What was published or handled did its part, and what was discarded never will. */
const mayGoOn = (state: ProofMessage["state"] | ProofArrival["state"]): boolean =>
  state === "pending" || state === "recorded" || state === "dead";

function entryOnItsWay(it: ProofCase): string | undefined {
  const waits = it.outcome === "made" && (isInBroker(it) || it.facts.outbox.rows.some(({ state }) => mayGoOn(state)));
  const unhandled = ownArrivals(it).some((row) => row.consumer === LEDGER_CONSUMER && mayGoOn(row.state));
  return waits || unhandled ? "The ledger entry is posted when the event is handled." : undefined;
}

/** What one account is given another one gives, in the amount of the command. */
export function balances(it: ProofCase): Claim {
  const { rows } = it.facts.ledger;
  if (rows.length === 0) return undefined;
  const even = rows.filter(
    (row) =>
      row.debitAccount !== row.creditAccount &&
      BigInt(row.money.minor) > 0n &&
      sameMoney(row.money, it.facts.request.money),
  );
  return claimOfCount({
    text: "It balances, in the amount of the command.",
    expected: rows.length,
    counted: even.length,
    rows: proofRowsOf("entries", rows),
    thing: ["entry that balances", "entries that balance"],
    failure: "The ledger has another amount than the command, or does not balance.",
  });
}

const RECEIPTS = "receipts";

/** A message to a person has a key of its own; a second delivery of the event adds none. */
export function notifiedOnce(it: ProofCase): Claim {
  const { rows } = it.facts.notifications;
  const due = ownArrivals(it).filter((row) => row.consumer === RECEIPTS);
  if (rows.length === 0 && due.length === 0) return undefined;
  const waits = rows.length === 0 && due.some((row) => mayGoOn(row.state));
  return claimOfCount({
    text: rows.length > 1 ? "Each message to a person was written once." : "One receipt was written.",
    // One of a kind: another key for the same receipt would be a second receipt.
    expected: Math.max(1, new Set(rows.map((row) => row.kind)).size),
    counted: rows.length,
    rows: proofRowsOf("notifications", rows),
    thing: ["receipt", "receipts"],
    unseen: unseen(it, "notifications"),
    waits: waits ? "The receipt is written when the event is handled." : undefined,
  });
}
