import type { ChainGap, ChainStation, ChainView, ChainWay } from "./chain";
import type { GlyphName } from "../format/glyph";
import { formatClock, formatDuration } from "../format/display-time";
import { isOurs, usesProvider } from "@/domain/operation-label";
import { callsProvider, effectCalls, lookUps } from "./operation-record";
import type { OperationRecord, ProviderCallRow } from "../views/operations";
import { plural, times } from "../format/words";

type Name = "Key" | "Operation" | "Provider" | "Outbox" | "Inbox" | "Ledger";

const clock = (at: string): string => formatClock(at, "utc", true);
const between = (from: string, to: string): string => formatDuration(Date.parse(to) - Date.parse(from));

/** A station before its times are written: one that happened has the moment that stands under its mark. */
interface Draft extends Omit<ChainStation, "time"> {
  readonly at?: string | undefined;
}
interface DraftChain {
  readonly stations: readonly Draft[];
  readonly gap?: ChainGap | undefined;
}

const BEHIND = ["Outbox", "Inbox", "Ledger"] as const;

/** The chain Key → Operation → Provider → Outbox → Inbox → Ledger with its one gap, from what is recorded. */
export function buildChain(record: OperationRecord): ChainView {
  const { stations, gap } = draftChain(record);
  return { stations: stations.map((draft, index) => written(draft, stations.slice(index + 1))), gap };
}

/** A way between two printed times has their difference as its duration, whatever else is recorded of it. */
function written({ at, way, ...rest }: Draft, behind: readonly Draft[]): ChainStation {
  const next = behind.find((station) => station.presence !== "absent")?.at;
  const time = at && clock(at);
  if (way === undefined || way.kind !== "solid" || at === undefined || next === undefined || next <= at)
    return { ...rest, time, way };
  return { ...rest, time, way: { kind: way.kind, duration: between(at, next) } };
}

function draftChain(record: OperationRecord): DraftChain {
  const local = !callsProvider(record);
  const call = effectCalls(record).at(-1);
  const doubt = record.state === "UNKNOWN_REQUIRES_RECOVERY" || record.state === "STALE";
  const head = [keyStation(record), operationStation(record, local, call)];
  if (doubt) return inDoubt(record, head, local, call);
  const provider = local ? absent("Provider") : providerStation(record, call);
  if (record.state === "COMPLETED" || (record.state === "EXPIRED" && !refused(record)))
    return settledChain(record, [...head, provider], !usesProvider(record.operation));
  const fact = record.state === "IN_PROGRESS" ? "not yet" : "not due";
  return { stations: [...head, provider, ...BEHIND.map((name) => notDue(name, fact))] };
}

const refused = (record: OperationRecord): boolean => (record.responseStatus ?? 0) >= 400;

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
  const parts = { presence: "absent", facts: [], way: { kind: "through" } } as const;
  return station(name, { glyph: "empty", ...parts }, "not part of this path");
}

function ending(last: Draft): Draft {
  return { ...last, way: undefined };
}

function gapAfter(after: number, tone: ChainGap["tone"], facts: readonly string[], spoken: string): ChainGap {
  return { after, tone, facts, spoken };
}

function keyStation(record: OperationRecord): Draft {
  const fact = `claimed ${times(record.leases.filter((lease) => lease.fence === 1).length || 1)}, by ${record.client}`;
  const at = record.createdAt;
  const parts = { at, id: record.key, facts: [fact], way: { kind: "solid" } as const };
  return station("Key", { glyph: "executed", ...parts }, `${fact} at ${clock(at)}`);
}

function operationStation(record: OperationRecord, local: boolean, call: ProviderCallRow | undefined): Draft {
  const at = call?.preparedAt ?? record.createdAt;
  const fact = operationFact(record, local, call);
  const stuck = record.state === "STALE" && call === undefined;
  const refusedHere = record.state === "FAILED_REPLAYABLE" && call === undefined;
  const moving = record.state === "IN_PROGRESS" && call === undefined;
  const next = call?.sentAt ?? (local ? record.completedAt : undefined);
  const ends = refusedHere || stuck || (next === undefined && record.state === "FAILED_RETRYABLE");
  const way: ChainWay = { kind: moving || (next === undefined && call !== undefined) ? "due" : "solid" };
  const glyph = stuck ? "STALE" : refusedHere ? "FAILED_REPLAYABLE" : moving ? "IN_PROGRESS" : "executed";
  const parts = { at, id: record.operationId, facts: [fact], way: ends ? undefined : way };
  return station("Operation", { glyph, ...parts }, fact);
}

function operationFact(record: OperationRecord, local: boolean, call: ProviderCallRow | undefined): string {
  const fence = `fence ${String(record.fence)}`;
  if (record.state === "UNKNOWN_REQUIRES_RECOVERY")
    return `${fence}, ${record.owner === undefined ? "now no owner" : `asked by ${record.owner}`}`;
  if (record.state === "STALE") return `${fence}, ${record.owner ?? "owner"} silent`;
  if (record.state === "IN_PROGRESS") return `${fence}, ${record.owner ?? "owned"}`;
  if (record.state === "FAILED_REPLAYABLE" && call === undefined) return `refused, ${record.errorCode ?? "final"}`;
  if (record.state === "FAILED_RETRYABLE") return "no effect, key is free";
  return local ? "one transaction" : `completed at ${fence}`;
}

function providerStation(record: OperationRecord, call: ProviderCallRow | undefined): Draft {
  if (call === undefined) return notDue("Provider", "nothing sent");
  const at = call.sentAt ?? call.preparedAt;
  const id = call.reference ?? record.provider[0]?.reference;
  const as = (glyph: GlyphName, fact: string, way?: ChainWay, spoken = fact): Draft =>
    station("Provider", { at, id, glyph, facts: [fact], way }, spoken);
  if (record.state === "IN_PROGRESS") {
    const fact = call.sentAt === undefined ? "prepared, not sent" : "sent, waiting for the answer";
    return as("IN_PROGRESS", fact, { kind: "due" });
  }
  const why = call.detail ?? "declined";
  if (record.state === "FAILED_REPLAYABLE" || refused(record))
    return as("FAILED_REPLAYABLE", why, undefined, `refused, ${why}`);
  if (record.state === "FAILED_RETRYABLE") return as("FAILED_RETRYABLE", "no effect");
  const sent = Math.max(1, sentCalls(record));
  const end = call.answeredAt === undefined ? "confirmed later" : "succeeded";
  return as("executed", `sent ${times(sent)}, ${end}`, { kind: "solid" });
}

const sentCalls = (record: OperationRecord): number =>
  effectCalls(record).filter((each) => each.state !== "prepared").length;

function inDoubt(
  record: OperationRecord,
  head: readonly Draft[],
  local: boolean,
  call: ProviderCallRow | undefined,
): DraftChain {
  const ledger = isOurs(record.operation) ? missing("Ledger", "no entry") : ending(absent("Ledger"));
  const behind = [missing("Outbox", "no row"), missing("Inbox", "no row"), ledger];
  if (call === undefined || call.state === "prepared") {
    const age = between(record.unknownSince ?? record.lockedUntil ?? record.createdAt, record.at);
    const middle = local ? ending(absent("Provider")) : missing("Provider", "nothing sent");
    const spoken = `Gap after the operation for ${age}: nothing was sent`;
    const gap = gapAfter(1, "doubt", ["nothing recorded", "after the claim"], spoken);
    return { stations: [...head, middle, ...behind], gap };
  }
  const sentAt = call.sentAt ?? call.preparedAt;
  const waited = between(sentAt, record.at);
  const asked = lookUps(record).length;
  const end = call.answeredAt === undefined ? "no answer" : (call.detail ?? "no final answer");
  const fact = `sent ${times(sentCalls(record))}, ${end}`;
  const provider = station(
    "Provider",
    {
      glyph: "unknown",
      tone: "doubt",
      at: sentAt,
      id: call.reference,
      facts: asked === 0 ? [fact] : [fact, `asked ${times(asked)}`],
      way: { kind: "doubt", duration: waited },
    },
    `sent ${clock(sentAt)}, no final answer, ${waited}`,
  );
  const spoken = `Gap after the provider: nothing recorded after the send, ${waited}`;
  const gap = gapAfter(2, "doubt", ["nothing recorded", "after the send"], spoken);
  return { stations: [...head, provider, ...behind], gap };
}

/** @param unposted nothing behind the effect is owed: no row there is no gap */
function settledChain(record: OperationRecord, head: readonly Draft[], unposted: boolean): DraftChain {
  if (record.outbox.length === 0 && record.inbox.length === 0 && record.ledger.length === 0)
    return nothingBehind(head, unposted || record.state === "EXPIRED");
  const outbox = outboxStation(record);
  const inbox = inboxStation(record);
  const ledger = ledgerStation(record, unposted);
  const dead = record.outbox.find((row) => row.state === "dead");
  if (dead !== undefined && record.inbox.every((row) => row.state !== "processed")) {
    const facts = [`not delivered after`, plural(dead.attempts, "attempt")];
    const gap = gapAfter(3, "broken", facts, `Gap after the outbox: ${facts.join(" ")}`);
    return { stations: [...head, { ...outbox, way: { kind: "broken" } }, inbox, ledger], gap };
  }
  const stuck = record.inbox.find((row) => row.state === "dead");
  if (stuck !== undefined && record.ledger.length === 0) {
    const facts = ["not handled after", plural(stuck.attempts, "attempt")];
    const gap = gapAfter(4, "broken", facts, `Gap after the inbox: ${facts.join(" ")}`);
    return { stations: [...head, outbox, { ...inbox, way: { kind: "broken" } }, ledger], gap };
  }
  return { stations: [...head, outbox, inbox, ledger] };
}

function nothingBehind(head: readonly Draft[], fine: boolean): DraftChain {
  const lastWay = (way: ChainWay | undefined): Draft[] =>
    head.map((each, index) => (index === head.length - 1 ? { ...each, way } : each));
  if (fine) return { stations: [...lastWay(undefined), ...BEHIND.map((name) => ending(absent(name)))] };
  const behind = BEHIND.map((name) => missing(name, name === "Ledger" ? "no entry" : "no row"));
  const facts = ["no outbox row", "in the commit"];
  return {
    stations: [...lastWay({ kind: "broken" }), ...behind],
    gap: gapAfter(2, "broken", facts, "Gap after the provider: no outbox row"),
  };
}

function outboxStation(record: OperationRecord): Draft {
  const row =
    record.outbox.find((each) => each.state === "dead") ??
    record.outbox.find((each) => each.state === "pending") ??
    record.outbox[0];
  if (row === undefined) return missing("Outbox", "no row kept");
  const tried = plural(row.attempts, "attempt");
  const fact = row.state === "dead" ? `dead after ${tried}` : `pending, ${tried}`;
  const parts = { glyph: row.state, at: row.createdAt, id: row.id };
  if (row.state !== "published") return station("Outbox", { ...parts, facts: [fact], way: { kind: "due" } }, fact);
  const published = `published to ${row.topic}`;
  return station("Outbox", { ...parts, facts: [published], way: { kind: "solid" } }, published);
}

function inboxStation(record: OperationRecord): Draft {
  const own = record.inbox.filter((row) => record.outbox.some((sent) => sent.id === row.messageId));
  const rows = own.length > 0 ? own : record.inbox;
  const row = rows.find((each) => each.state === "dead") ?? rows.find((each) => each.state === "recorded") ?? rows[0];
  if (row === undefined) return notDue("Inbox", "no row yet");
  const word = row.state === "processed" ? "processed by" : row.state === "dead" ? "dead at" : "waits for";
  const again = row.duplicates > 0 ? [`${plural(row.duplicates, "duplicate")} refused`] : [];
  const facts = [`${word} ${row.consumer}`, ...again];
  const way: ChainWay = { kind: row.processedAt === undefined ? "due" : "solid" };
  const parts = { glyph: row.state, at: row.receivedAt, id: row.messageId, facts, way };
  return station("Inbox", parts, facts.join(", "));
}

function ledgerStation(record: OperationRecord, unposted: boolean): Draft {
  const [entry] = record.ledger;
  if (entry === undefined) return unposted ? ending(absent("Ledger")) : missing("Ledger", "no entry");
  const facts = [plural(record.ledger.length, "entry", "entries"), entry.money.display];
  const parts = { at: entry.postedAt, id: entry.id, facts };
  return station("Ledger", { glyph: "executed", ...parts }, facts.join(", "));
}
