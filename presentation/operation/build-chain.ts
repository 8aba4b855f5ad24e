import { NONE } from "@/domain/operation-kind";
import { formatClock } from "../format/display-time";
import type { GlyphName, Tone } from "../format/glyph";
import { firstWords, holding, type PageClaim } from "@/domain/page-claim";
import { plural } from "../format/words";
import type { OperationRecord } from "../views/operations";
import type { ChainGap, ChainStation, ChainView, ChainWay } from "./chain";
import {
  ASKED_FACTS,
  DOUBT_FACTS,
  DUPLICATE_FACTS,
  ENTRY_FACTS,
  INBOX_FACTS,
  inboxRowOf,
  KEY_FACTS,
  lastCall,
  LEDGER_FACTS,
  OPERATION_FACTS,
  OUTBOX_FACTS,
  outboxRowOf,
  PROVIDER_FACTS,
  spanText,
} from "./chain-claims";
import { operationCase, type OperationCase } from "./operation-case";

type Name = "Key" | "Operation" | "Provider" | "Outbox" | "Inbox" | "Ledger";

/** A station before its times are written: one that happened has the moment that stands under its mark. */
interface Draft extends Omit<ChainStation, "time"> {
  readonly at?: string | undefined;
}
interface DraftChain {
  readonly stations: readonly Draft[];
  readonly gap?: ChainGap | undefined;
}

const clock = (at: string): string => formatClock(at, "utc", true);
const BEHIND = ["Outbox", "Inbox", "Ledger"] as const;

/** The chain Key → Operation → Provider → Outbox → Inbox → Ledger with its one gap, from what is recorded. */
export function buildChain(record: OperationRecord): ChainView {
  const { stations, gap } = draftChain(operationCase(record));
  return { stations: stations.map((draft, index) => written(draft, stations.slice(index + 1))), gap };
}

/** A way between two printed times has their difference as its duration, whatever else is recorded of it. */
function written({ at, way, ...rest }: Draft, behind: readonly Draft[]): ChainStation {
  const next = behind.find((station) => station.presence !== "absent")?.at;
  const time = at && clock(at);
  if (way === undefined || way.kind !== "solid" || at === undefined || next === undefined || next <= at)
    return { ...rest, time, way };
  return { ...rest, time, way: { kind: way.kind, duration: spanText(at, next) } };
}

function draftChain(it: OperationCase): DraftChain {
  const { record } = it;
  const head = [keyStation(it), operationStation(it)];
  if (record.state === "UNKNOWN_REQUIRES_RECOVERY" || record.state === "STALE") return inDoubt(it, head);
  const provider = it.local ? absent("Provider") : providerStation(it);
  if (it.end === "succeeded") return settledChain(it, [...head, provider]);
  const fact = record.state === "IN_PROGRESS" ? "not yet" : "not due";
  return { stations: [...head, provider, ...BEHIND.map((name) => behindStation(it, name) ?? notDue(name, fact))] };
}

function station(name: Name, parts: Omit<Draft, "name" | "spoken">, spoken: string): Draft {
  return { name, ...parts, spoken: `${name}: ${spoken}` };
}

function missing(name: Name, fact: string): Draft {
  return station(name, { glyph: "empty", presence: "off", facts: [fact] }, fact);
}

function notDue(name: Name, fact: string): Draft {
  return { ...missing(name, fact), way: name === "Ledger" ? undefined : { kind: "due" } };
}

function absent(name: Name): Draft {
  const way = name === "Ledger" ? undefined : ({ kind: "through" } as const);
  return station(name, { glyph: "empty", presence: "absent", facts: [], way }, "not part of this path");
}

function ending(last: Draft): Draft {
  return { ...last, way: undefined };
}

function factsOf(it: OperationCase, ...lists: readonly (readonly PageClaim<OperationCase>[])[]): string[] {
  return lists.flatMap((claims) =>
    holding(claims, it)
      .slice(0, 1)
      .map((claim) => claim.words(it)),
  );
}

function keyStation(it: OperationCase): Draft {
  const [at, facts] = [it.record.createdAt, factsOf(it, KEY_FACTS)];
  const parts = { at, id: it.record.key, facts, way: { kind: "solid" } as const };
  return station("Key", { glyph: "executed", ...parts }, `${facts.join(", ")} at ${clock(at)}`);
}

function operationStation(it: OperationCase): Draft {
  const { record } = it;
  const call = lastCall(it);
  const [stuck, refused, moving] = [
    record.state === "STALE" && call === undefined,
    it.end === "refused" && it.sent === 0,
    record.state === "IN_PROGRESS" && call === undefined,
  ];
  const ends = refused || stuck || (it.end === "no effect" && it.sent === 0);
  const waits = moving || (call !== undefined && call.sentAt === undefined);
  const glyph: GlyphName = stuck ? "STALE" : refused ? "FAILED_REPLAYABLE" : moving ? "IN_PROGRESS" : "executed";
  const facts = factsOf(it, OPERATION_FACTS);
  const at = call?.preparedAt ?? record.createdAt;
  const way: ChainWay | undefined = ends ? undefined : { kind: waits ? "due" : "solid" };
  return station("Operation", { glyph, at, id: record.operationId, facts, way }, facts.join(", "));
}

function providerStation(it: OperationCase): Draft {
  const call = lastCall(it);
  const facts = factsOf(it, PROVIDER_FACTS, ASKED_FACTS);
  if (call === undefined) return notDue("Provider", facts.join(", "));
  const [glyph, tone, way] = providerFace(it);
  const id = it.record.provider.findLast(({ reference }) => reference !== undefined)?.reference;
  const parts = { glyph, tone, at: call.sentAt ?? call.preparedAt, id, facts, way };
  return station(
    "Provider",
    parts,
    it.end === "refused" && it.hand === undefined ? `refused, ${facts.join(", ")}` : facts.join(", "),
  );
}

function providerFace(it: OperationCase): readonly [GlyphName, Tone | undefined, ChainWay | undefined] {
  if (it.end === "open") return ["IN_PROGRESS", undefined, { kind: "due" }];
  if (it.hand !== undefined && it.stand.stand !== "confirmed") {
    const tone = it.stand.stand === "contradicts it" ? "broken" : "doubt";
    return ["unknown", tone, it.end === "succeeded" ? { kind: "solid" } : undefined];
  }
  if (it.end === "refused") return ["FAILED_REPLAYABLE", undefined, undefined];
  if (it.end === "no effect") return ["FAILED_RETRYABLE", undefined, undefined];
  return ["executed", undefined, { kind: "solid" }];
}

function inDoubt(it: OperationCase, head: readonly Draft[]): DraftChain {
  const { record } = it;
  const fallback = { Outbox: "no row", Inbox: "no row", Ledger: "no entry" } as const;
  const ledger = it.posts ? missing("Ledger", fallback.Ledger) : absent("Ledger");
  const behind = BEHIND.map(
    (name) => behindStation(it, name) ?? (name === "Ledger" ? ledger : missing(name, fallback[name])),
  );
  const call = lastCall(it);
  const fact = firstWords(DOUBT_FACTS, it);
  if (call === undefined || it.sent === 0) {
    const age = spanText(record.unknownSince ?? record.lockedUntil ?? record.createdAt, record.at);
    const middle = it.local ? ending(absent("Provider")) : missing("Provider", firstWords(PROVIDER_FACTS, it));
    const gap = gapAfter(1, "doubt", twoLines(fact), `Gap after the operation for ${age}: ${fact}`);
    return { stations: [...head, middle, ...behind], gap };
  }
  const at = call.sentAt ?? call.preparedAt;
  const waited = spanText(at, record.at);
  const facts = factsOf(it, PROVIDER_FACTS, ASKED_FACTS);
  // The way ends in the gap: its duration is how long it is open by now.
  const way: ChainWay = { kind: "doubt", duration: waited };
  const parts = { glyph: "unknown", tone: "doubt", at, id: call.reference, facts, way } as const;
  const provider = station("Provider", parts, `${facts.join(", ")}, at ${clock(at)}, ${waited}`);
  const gap = gapAfter(2, "doubt", twoLines(fact), `Gap after the provider: ${fact}, ${waited}`);
  return { stations: [...head, provider, ...behind], gap };
}

/** "nothing recorded", "after the send". */
function twoLines(fact: string): readonly string[] {
  const cut = fact.search(/ (after|is) /);
  return cut < 0 ? [fact] : [fact.slice(0, cut), fact.slice(cut + 1)];
}

function gapAfter(after: number, tone: ChainGap["tone"], facts: readonly string[], spoken: string): ChainGap {
  return { after, tone, facts, spoken };
}

/** What is owed behind the effect of an operation that has no row there: nothing, where its kind is not posted. */
function settledChain(it: OperationCase, head: readonly Draft[]): DraftChain {
  const { record } = it;
  const [outbox, inbox, ledger] = [outboxStation(it), inboxStation(it), ledgerStation(it)];
  if (outbox === undefined && inbox === undefined && ledger === undefined) return nothingBehind(it, head);
  const silent = record.about.expects.event === NONE;
  const rest = [
    outbox ?? (silent ? absent("Outbox") : missing("Outbox", "no row kept")),
    inbox ?? (silent ? absent("Inbox") : notDue("Inbox", "no row yet")),
    ledger ?? (it.posts ? missing("Ledger", "no entry") : absent("Ledger")),
  ] as const;
  const dead = record.outbox.find((row) => row.state === "dead");
  if (dead !== undefined && record.inbox.every((row) => row.state !== "processed")) {
    const facts = ["not delivered after", plural(dead.attempts, "attempt")];
    const gap = gapAfter(3, "broken", facts, `Gap after the outbox: ${facts.join(" ")}`);
    return { stations: [...head, { ...rest[0], way: { kind: "broken" } }, rest[1], rest[2]], gap };
  }
  const stuck = record.inbox.find((row) => row.state === "dead");
  if (stuck !== undefined && record.ledger.length === 0) {
    const facts = ["not handled after", plural(stuck.attempts, "attempt")];
    const gap = gapAfter(4, "broken", facts, `Gap after the inbox: ${facts.join(" ")}`);
    return { stations: [...head, rest[0], { ...rest[1], way: { kind: "broken" } }, rest[2]], gap };
  }
  return { stations: [...head, ...rest] };
}

function nothingBehind(it: OperationCase, head: readonly Draft[]): DraftChain {
  const lastWay = (way: ChainWay | undefined): Draft[] =>
    head.map((each, index) => (index === head.length - 1 ? { ...each, way } : each));
  if (!it.posts) return { stations: [...lastWay(undefined), ...BEHIND.map((name) => ending(absent(name)))] };
  const kept = it.record.state === "EXPIRED" ? " kept" : "";
  const behind = BEHIND.map((name) =>
    name === "Ledger"
      ? missing(name, `no entry${kept}`)
      : it.publishes
        ? missing(name, `no row${kept}`)
        : ending(absent(name)),
  );
  if (it.record.state === "EXPIRED" || !it.publishes) return { stations: [...lastWay(undefined), ...behind] };
  const [after, before] = it.local ? ([1, "operation"] as const) : ([2, "provider"] as const);
  const gap = gapAfter(after, "broken", ["no outbox row", "in the commit"], `Gap after the ${before}: no outbox row`);
  return { stations: [...lastWay({ kind: "broken" }), ...behind], gap };
}

function behindStation(it: OperationCase, name: (typeof BEHIND)[number]): Draft | undefined {
  return name === "Outbox" ? outboxStation(it) : name === "Inbox" ? inboxStation(it) : ledgerStation(it);
}

function outboxStation(it: OperationCase): Draft | undefined {
  const row = outboxRowOf(it);
  if (row === undefined) return undefined;
  const facts = factsOf(it, OUTBOX_FACTS);
  const way: ChainWay | undefined =
    row.state === "discarded" ? undefined : { kind: row.state === "published" ? "solid" : "due" };
  return station("Outbox", { glyph: row.state, at: row.createdAt, id: row.id, facts, way }, facts.join(", "));
}

function inboxStation(it: OperationCase): Draft | undefined {
  const row = inboxRowOf(it);
  if (row === undefined) return undefined;
  const facts = factsOf(it, INBOX_FACTS, DUPLICATE_FACTS);
  const way: ChainWay | undefined =
    row.state === "discarded" ? undefined : { kind: row.processedAt === undefined ? "due" : "solid" };
  return station("Inbox", { glyph: row.state, at: row.receivedAt, id: row.messageId, facts, way }, facts.join(", "));
}

function ledgerStation(it: OperationCase): Draft | undefined {
  const [entry] = it.record.ledger;
  if (entry === undefined) return undefined;
  const facts = factsOf(it, LEDGER_FACTS, ENTRY_FACTS);
  return station("Ledger", { glyph: "executed", at: entry.postedAt, id: entry.id, facts }, facts.join(", "));
}
