import type { ChainGap, ChainStation, ChainView, ChainWay } from "./chain";
import { formatClock, formatDuration } from "../format/display-time";
import { isOurs, usesProvider } from "@/domain/operation-label";
import { callsProvider, effectCalls, lookUps } from "./operation-record";
import type { OperationRecord, ProviderCallRow } from "../views/operations";
import { plural, times } from "../format/words";

type Name = "Key" | "Operation" | "Provider" | "Outbox" | "Inbox" | "Ledger";

const clock = (at: string): string => formatClock(at, "utc", true);
const between = (from: string, to: string): string => formatDuration(Date.parse(to) - Date.parse(from));

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
  const rest = (["Outbox", "Inbox", "Ledger"] as const).map((name) =>
    notDue(name, record.state === "IN_PROGRESS" ? ["not yet"] : ["not due"]),
  );
  return { stations: [...head, provider, ...rest] };
}

const refused = (record: OperationRecord): boolean => (record.responseStatus ?? 0) >= 400;

function station(name: Name, parts: Omit<ChainStation, "name" | "spoken">, spoken: string): ChainStation {
  return { name, ...parts, spoken: `${name}: ${spoken}` };
}

function notDue(name: Name, facts: readonly string[]): ChainStation {
  return station(
    name,
    { glyph: "empty", presence: "off", facts, way: name === "Ledger" ? undefined : { kind: "due" } },
    facts.join(", "),
  );
}

function missing(name: Name, facts: readonly string[]): ChainStation {
  return station(name, { glyph: "empty", presence: "off", facts }, facts.join(", "));
}

function absent(name: Name): ChainStation {
  return station(
    name,
    { glyph: "empty", presence: "absent", facts: [], way: { kind: "through" } },
    "not part of this path",
  );
}

function keyStation(record: OperationRecord): ChainStation {
  const fact = `claimed ${times(record.leases.filter((lease) => lease.fence === 1).length || 1)}, by ${record.client}`;
  return station(
    "Key",
    { glyph: "executed", time: clock(record.createdAt), id: record.key, facts: [fact], way: { kind: "solid" } },
    `${fact} at ${clock(record.createdAt)}`,
  );
}

function operationStation(record: OperationRecord, local: boolean, call: ProviderCallRow | undefined): ChainStation {
  const at = call?.preparedAt ?? record.createdAt;
  const fact = operationFact(record, local, call);
  const stuck = record.state === "STALE" && call === undefined;
  const refusedHere = record.state === "FAILED_REPLAYABLE" && call === undefined;
  const moving = record.state === "IN_PROGRESS" && call === undefined;
  const next = call?.sentAt ?? (local ? record.completedAt : undefined);
  const way: ChainWay | undefined =
    refusedHere || stuck || (next === undefined && record.state === "FAILED_RETRYABLE")
      ? undefined
      : {
          kind: moving || (next === undefined && call !== undefined) ? "due" : "solid",
          duration: next === undefined ? undefined : between(at, next),
        };
  return station(
    "Operation",
    {
      glyph: stuck ? "STALE" : refusedHere ? "FAILED_REPLAYABLE" : moving ? "IN_PROGRESS" : "executed",
      time: clock(at),
      id: record.operationId,
      facts: [fact],
      way,
    },
    fact,
  );
}

function operationFact(record: OperationRecord, local: boolean, call: ProviderCallRow | undefined): string {
  if (record.state === "UNKNOWN_REQUIRES_RECOVERY")
    return `fence ${String(record.fence)}, ${record.owner === undefined ? "now no owner" : `asked by ${record.owner}`}`;
  if (record.state === "STALE") return `fence ${String(record.fence)}, ${record.owner ?? "owner"} silent`;
  if (record.state === "IN_PROGRESS") return `fence ${String(record.fence)}, ${record.owner ?? "owned"}`;
  if (record.state === "FAILED_REPLAYABLE" && call === undefined) return `refused, ${record.errorCode ?? "final"}`;
  if (record.state === "FAILED_RETRYABLE") return "no effect, key is free";
  return local ? "one transaction" : `completed at fence ${String(record.fence)}`;
}

function providerStation(record: OperationRecord, call: ProviderCallRow | undefined): ChainStation {
  if (call === undefined) return notDue("Provider", ["nothing sent"]);
  const time = clock(call.sentAt ?? call.preparedAt);
  const base = { time, id: call.reference ?? record.provider[0]?.reference };
  const sent = effectCalls(record).filter((each) => each.state !== "prepared").length;
  if (record.state === "IN_PROGRESS") {
    const fact = call.sentAt === undefined ? "prepared, not sent" : "sent, waiting for the answer";
    return station("Provider", { ...base, glyph: "IN_PROGRESS", facts: [fact], way: { kind: "due" } }, fact);
  }
  if (record.state === "FAILED_REPLAYABLE" || refused(record))
    return station(
      "Provider",
      { ...base, glyph: "FAILED_REPLAYABLE", facts: [call.detail ?? "declined"] },
      `refused, ${call.detail ?? "declined"}`,
    );
  if (record.state === "FAILED_RETRYABLE")
    return station("Provider", { ...base, glyph: "FAILED_RETRYABLE", facts: ["no effect"] }, "no effect");
  const fact = `sent ${times(Math.max(1, sent))}, ${call.answeredAt === undefined ? "confirmed later" : "succeeded"}`;
  const until = call.answeredAt ?? record.completedAt;
  return station(
    "Provider",
    {
      ...base,
      glyph: "executed",
      facts: [fact],
      way: {
        kind: "solid",
        duration: until === undefined ? undefined : between(call.sentAt ?? call.preparedAt, until),
      },
    },
    fact,
  );
}

function inDoubt(
  record: OperationRecord,
  head: readonly ChainStation[],
  local: boolean,
  call: ProviderCallRow | undefined,
): ChainView {
  const ledger = isOurs(record.operation) ? missing("Ledger", ["no entry"]) : { ...absent("Ledger"), way: undefined };
  const behind = [missing("Outbox", ["no row"]), missing("Inbox", ["no row"]), ledger];
  const age = between(record.unknownSince ?? record.lockedUntil ?? record.createdAt, record.at);
  if (call === undefined || call.state === "prepared") {
    const facts = ["nothing recorded", "after the claim"];
    const middle = local ? absent("Provider") : missing("Provider", ["nothing sent"]);
    return {
      stations: [...head, { ...middle, way: undefined }, ...behind],
      gap: { after: 1, tone: "doubt", facts, spoken: `Gap after the operation for ${age}: nothing was sent` },
    };
  }
  const sentAt = call.sentAt ?? call.preparedAt;
  const sends = effectCalls(record).filter((each) => each.state !== "prepared").length;
  const waited = between(sentAt, record.at);
  const asked = lookUps(record).length;
  const fact = `sent ${times(sends)}, ${call.answeredAt === undefined ? "no answer" : (call.detail ?? "no final answer")}`;
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
  const gap: ChainGap = {
    after: 2,
    tone: "doubt",
    facts: ["nothing recorded", "after the send"],
    spoken: `Gap after the provider: nothing recorded after the send, ${waited}`,
  };
  return { stations: [...head, provider, ...behind], gap };
}

/** @param unposted nothing behind the effect is owed: no row there is no gap */
function settledChain(record: OperationRecord, head: readonly ChainStation[], unposted: boolean): ChainView {
  if (record.outbox.length === 0 && record.inbox.length === 0 && record.ledger.length === 0) {
    if (unposted || record.state === "EXPIRED")
      return {
        stations: [
          ...head.slice(0, -1),
          ...head.slice(-1).map((last) => ({ ...last, way: undefined })),
          ...(["Outbox", "Inbox", "Ledger"] as const).map((name) => ({ ...absent(name), way: undefined })),
        ],
      };
    const behind = (["Outbox", "Inbox", "Ledger"] as const).map((name) =>
      missing(name, [name === "Ledger" ? "no entry" : "no row"]),
    );
    return {
      stations: [...cut(head, "broken"), ...behind],
      gap: {
        after: 2,
        tone: "broken",
        facts: ["no outbox row", "in the commit"],
        spoken: "Gap after the provider: no outbox row",
      },
    };
  }
  const outbox = outboxStation(record);
  const inbox = inboxStation(record);
  const ledger = ledgerStation(record, unposted);
  const dead = record.outbox.find((row) => row.state === "dead");
  if (dead !== undefined && record.inbox.every((row) => row.state !== "processed")) {
    const facts = [`not delivered after`, plural(dead.attempts, "attempt")];
    return {
      stations: [...head, { ...outbox, way: { kind: "broken" } }, inbox, ledger],
      gap: { after: 3, tone: "broken", facts, spoken: `Gap after the outbox: ${facts.join(" ")}` },
    };
  }
  const stuck = record.inbox.find((row) => row.state === "dead");
  if (stuck !== undefined && record.ledger.length === 0) {
    const facts = ["not handled after", plural(stuck.attempts, "attempt")];
    return {
      stations: [...head, outbox, { ...inbox, way: { kind: "broken" } }, ledger],
      gap: { after: 4, tone: "broken", facts, spoken: `Gap after the inbox: ${facts.join(" ")}` },
    };
  }
  return { stations: [...head, outbox, inbox, ledger] };
}

function cut(head: readonly ChainStation[], kind: "broken" | "doubt"): ChainStation[] {
  return head.map((each, index) => (index === head.length - 1 ? { ...each, way: { kind } } : each));
}

function outboxStation(record: OperationRecord): ChainStation {
  const row =
    record.outbox.find((each) => each.state === "dead") ??
    record.outbox.find((each) => each.state === "pending") ??
    record.outbox[0];
  if (row === undefined) return missing("Outbox", ["no row kept"]);
  const fact =
    row.state === "published"
      ? `published to ${row.topic}`
      : row.state === "dead"
        ? `dead after ${plural(row.attempts, "attempt")}`
        : `pending, ${plural(row.attempts, "attempt")}`;
  const arrived = record.inbox[0]?.receivedAt ?? row.publishedAt;
  const way: ChainWay =
    row.state === "published"
      ? { kind: "solid", duration: arrived === undefined ? undefined : between(row.createdAt, arrived) }
      : { kind: "due" };
  return station("Outbox", { glyph: row.state, time: clock(row.createdAt), id: row.id, facts: [fact], way }, fact);
}

function inboxStation(record: OperationRecord): ChainStation {
  const own = record.inbox.filter((row) => record.outbox.some((sent) => sent.id === row.messageId));
  const rows = own.length > 0 ? own : record.inbox;
  const row = rows.find((each) => each.state === "dead") ?? rows.find((each) => each.state === "recorded") ?? rows[0];
  if (row === undefined) return notDue("Inbox", ["no row yet"]);
  const word = row.state === "processed" ? "processed by" : row.state === "dead" ? "dead at" : "waits for";
  const fact = `${word} ${row.consumer}`;
  const again = row.duplicates > 0 ? [`${plural(row.duplicates, "duplicate")} refused`] : [];
  const way: ChainWay =
    row.processedAt === undefined
      ? { kind: "due" }
      : { kind: "solid", duration: between(row.receivedAt, row.processedAt) };
  return station(
    "Inbox",
    { glyph: row.state, time: clock(row.receivedAt), id: row.messageId, facts: [fact, ...again], way },
    [fact, ...again].join(", "),
  );
}

function ledgerStation(record: OperationRecord, unposted: boolean): ChainStation {
  const entry = record.ledger[0];
  if (entry === undefined)
    return unposted
      ? station("Ledger", { glyph: "empty", presence: "absent", facts: [] }, "not part of this path")
      : missing("Ledger", ["no entry"]);
  const fact = plural(record.ledger.length, "entry", "entries");
  return station(
    "Ledger",
    { glyph: "executed", time: clock(entry.postedAt), id: entry.id, facts: [fact, entry.money.display] },
    `${fact}, ${entry.money.display}`,
  );
}
