import type { ChainStation, ChainView, ChainWay } from "./chain";
import type { GlyphName } from "../format/glyph";
import { between, clock, deadGap, gapAfter, offStation, solidWay, station, worstOf } from "./chain-parts";
import { isOurs, usesProvider } from "@/domain/operation-label";
import { callsProvider, effectCalls, lookUps } from "./operation-record";
import type { OperationRecord, ProviderCallRow } from "../views/operations";
import { plural, times } from "../format/words";

const BEHIND = ["Outbox", "Inbox", "Ledger"] as const;
const BROKEN: ChainWay = { kind: "broken" };

/** The chain Key → Operation → Provider → Outbox → Inbox → Ledger with its one gap, from what is recorded. */
export function buildChain(record: OperationRecord): ChainView {
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

function notDue(name: string, fact: string): ChainStation {
  return { ...offStation(name, fact), way: name === "Ledger" ? undefined : { kind: "due" } };
}

function absent(name: string): ChainStation {
  const parts = { presence: "absent", facts: [], way: { kind: "through" } } as const;
  return station(name, { glyph: "empty", ...parts }, "not part of this path");
}

function ending(last: ChainStation): ChainStation {
  return { ...last, way: undefined };
}

function keyStation(record: OperationRecord): ChainStation {
  const fact = `claimed ${times(record.leases.filter((lease) => lease.fence === 1).length || 1)}, by ${record.client}`;
  const time = clock(record.createdAt);
  const parts = { time, id: record.key, facts: [fact], way: { kind: "solid" } as const };
  return station("Key", { glyph: "executed", ...parts }, `${fact} at ${time}`);
}

function operationStation(record: OperationRecord, local: boolean, call: ProviderCallRow | undefined): ChainStation {
  const at = call?.preparedAt ?? record.createdAt;
  const fact = operationFact(record, local, call);
  const stuck = record.state === "STALE" && call === undefined;
  const refusedHere = record.state === "FAILED_REPLAYABLE" && call === undefined;
  const moving = record.state === "IN_PROGRESS" && call === undefined;
  const next = call?.sentAt ?? (local ? record.completedAt : undefined);
  const ends = refusedHere || stuck || (next === undefined && record.state === "FAILED_RETRYABLE");
  const way: ChainWay = {
    kind: moving || (next === undefined && call !== undefined) ? "due" : "solid",
    duration: next === undefined ? undefined : between(at, next),
  };
  const glyph = stuck ? "STALE" : refusedHere ? "FAILED_REPLAYABLE" : moving ? "IN_PROGRESS" : "executed";
  const parts = { time: clock(at), id: record.operationId, facts: [fact], way: ends ? undefined : way };
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

function providerStation(record: OperationRecord, call: ProviderCallRow | undefined): ChainStation {
  if (call === undefined) return notDue("Provider", "nothing sent");
  const time = clock(call.sentAt ?? call.preparedAt);
  const id = call.reference ?? record.provider[0]?.reference;
  const as = (glyph: GlyphName, fact: string, way?: ChainWay, spoken = fact): ChainStation =>
    station("Provider", { time, id, glyph, facts: [fact], way }, spoken);
  if (record.state === "IN_PROGRESS") {
    const fact = call.sentAt === undefined ? "prepared, not sent" : "sent, waiting for the answer";
    return as("IN_PROGRESS", fact, { kind: "due" });
  }
  const why = call.detail ?? "declined";
  if (record.state === "FAILED_REPLAYABLE" || refused(record))
    return as("FAILED_REPLAYABLE", why, undefined, `refused, ${why}`);
  if (record.state === "FAILED_RETRYABLE") return as("FAILED_RETRYABLE", "no effect");
  const sent = Math.max(1, sentCalls(record));
  const until = call.answeredAt ?? record.completedAt;
  const duration = until === undefined ? undefined : between(call.sentAt ?? call.preparedAt, until);
  const end = call.answeredAt === undefined ? "confirmed later" : "succeeded";
  return as("executed", `sent ${times(sent)}, ${end}`, { kind: "solid", duration });
}

const sentCalls = (record: OperationRecord): number =>
  effectCalls(record).filter((each) => each.state !== "prepared").length;

function inDoubt(
  record: OperationRecord,
  head: readonly ChainStation[],
  local: boolean,
  call: ProviderCallRow | undefined,
): ChainView {
  const ledger = isOurs(record.operation) ? offStation("Ledger", "no entry") : ending(absent("Ledger"));
  const behind = [offStation("Outbox", "no row"), offStation("Inbox", "no row"), ledger];
  if (call === undefined || call.state === "prepared") {
    const age = between(record.unknownSince ?? record.lockedUntil ?? record.createdAt, record.at);
    const middle = local ? ending(absent("Provider")) : offStation("Provider", "nothing sent");
    const facts = ["nothing recorded", "after the claim"];
    const gap = gapAfter(1, "operation", "doubt", facts, ` for ${age}: nothing was sent`);
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
      time: clock(sentAt),
      id: call.reference,
      facts: asked === 0 ? [fact] : [fact, `asked ${times(asked)}`],
      way: { kind: "doubt", duration: waited },
    },
    `sent ${clock(sentAt)}, no final answer, ${waited}`,
  );
  const facts = ["nothing recorded", "after the send"];
  const gap = gapAfter(2, "provider", "doubt", facts, `: ${facts.join(" ")}, ${waited}`);
  return { stations: [...head, provider, ...behind], gap };
}

/** @param unposted nothing behind the effect is owed: no row there is no gap */
function settledChain(record: OperationRecord, head: readonly ChainStation[], unposted: boolean): ChainView {
  if (record.outbox.length === 0 && record.inbox.length === 0 && record.ledger.length === 0)
    return nothingBehind(head, unposted || record.state === "EXPIRED");
  const outbox = outboxStation(record);
  const inbox = inboxStation(record);
  const ledger = ledgerStation(record, unposted);
  const dead = record.outbox.find((row) => row.state === "dead");
  if (dead !== undefined && record.inbox.every((row) => row.state !== "processed")) {
    const stations = [...head, { ...outbox, way: BROKEN }, inbox, ledger];
    return { stations, gap: deadGap(3, "outbox", dead.attempts) };
  }
  const stuck = record.inbox.find((row) => row.state === "dead");
  if (stuck !== undefined && record.ledger.length === 0) {
    const stations = [...head, outbox, { ...inbox, way: BROKEN }, ledger];
    return { stations, gap: deadGap(4, "inbox", stuck.attempts) };
  }
  return { stations: [...head, outbox, inbox, ledger] };
}

function nothingBehind(head: readonly ChainStation[], fine: boolean): ChainView {
  const lastWay = (way: ChainWay | undefined): ChainStation[] =>
    head.map((each, index) => (index === head.length - 1 ? { ...each, way } : each));
  if (fine) return { stations: [...lastWay(undefined), ...BEHIND.map((name) => ending(absent(name)))] };
  const behind = BEHIND.map((name) => offStation(name, name === "Ledger" ? "no entry" : "no row"));
  const gap = gapAfter(2, "provider", "broken", ["no outbox row", "in the commit"], ": no outbox row");
  return { stations: [...lastWay(BROKEN), ...behind], gap };
}

function outboxStation(record: OperationRecord): ChainStation {
  const row = worstOf(record.outbox, "pending");
  if (row === undefined) return offStation("Outbox", "no row kept");
  const tried = plural(row.attempts, "attempt");
  const fact = row.state === "dead" ? `dead after ${tried}` : `pending, ${tried}`;
  const parts = { glyph: row.state, time: clock(row.createdAt), id: row.id };
  if (row.state !== "published") return station("Outbox", { ...parts, facts: [fact], way: { kind: "due" } }, fact);
  const published = `published to ${row.topic}`;
  const arrived = record.inbox[0]?.receivedAt ?? row.publishedAt;
  const duration = arrived === undefined ? undefined : between(row.createdAt, arrived);
  return station("Outbox", { ...parts, facts: [published], way: { kind: "solid", duration } }, published);
}

function inboxStation(record: OperationRecord): ChainStation {
  const own = record.inbox.filter((row) => record.outbox.some((sent) => sent.id === row.messageId));
  const rows = own.length > 0 ? own : record.inbox;
  const row = worstOf(rows, "recorded");
  if (row === undefined) return notDue("Inbox", "no row yet");
  const word = row.state === "processed" ? "processed by" : row.state === "dead" ? "dead at" : "waits for";
  const again = row.duplicates > 0 ? [`${plural(row.duplicates, "duplicate")} refused`] : [];
  const facts = [`${word} ${row.consumer}`, ...again];
  const way: ChainWay = row.processedAt === undefined ? { kind: "due" } : solidWay(row.receivedAt, row.processedAt);
  const parts = { glyph: row.state, time: clock(row.receivedAt), id: row.messageId, facts, way };
  return station("Inbox", parts, facts.join(", "));
}

function ledgerStation(record: OperationRecord, unposted: boolean): ChainStation {
  const [entry] = record.ledger;
  if (entry === undefined) return unposted ? ending(absent("Ledger")) : offStation("Ledger", "no entry");
  const facts = [plural(record.ledger.length, "entry", "entries"), entry.money.display];
  const parts = { time: clock(entry.postedAt), id: entry.id, facts };
  return station("Ledger", { glyph: "executed", ...parts }, facts.join(", "));
}
