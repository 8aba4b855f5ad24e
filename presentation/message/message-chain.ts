import type { ChainGap, ChainStation, ChainView, ChainWay } from "../operation/chain";
import { clock, deadGap, gapAfter, offStation, solidWay, station, worstOf } from "../operation/chain-parts";
import { heldBy, sentBy, type MessageContext } from "./message-context";
import type { InboxRow } from "../views/inbox";
import type { OutboxRow } from "../views/outbox";
import { plural } from "../format/words";

/** The stations of one message: from what caused it to what it made, with its one gap. */
export function buildMessageChain(story: MessageContext): ChainView {
  const { side, id } = story.here;
  if (side === "inbox") {
    const row = story.inbox.find((each) => each.id === id);
    return row === undefined ? { stations: [] } : ofArrival(story, row);
  }
  const sent = story.outbox.find((each) => each.id === id);
  if (sent === undefined) return { stations: [] };
  return sent.notification ? ofNotification(story, sent) : ofEvent(story, sent, heldBy(story, sent));
}

function operationStation(story: MessageContext, next: string): ChainStation[] {
  const { operation } = story;
  if (operation === undefined) return [];
  return [
    station("Operation", {
      glyph: operation.state === "COMPLETED" ? "executed" : operation.state,
      time: clock(operation.createdAt),
      id: operation.id,
      facts: [
        `${operation.kind}${operation.money === undefined ? "" : ` ${operation.money}`}`,
        `by ${operation.client}`,
      ],
      way: solidWay(operation.createdAt, next),
    }),
  ];
}

function outboxStation(row: OutboxRow, way: ChainWay | undefined, name = "Outbox"): ChainStation {
  const by = row.transport === undefined ? "" : ` by ${row.transport}`;
  const fact =
    row.state === "published"
      ? row.publishedBy === "operator"
        ? "closed by a person"
        : `left${by} at ${clock(row.publishedAt ?? row.createdAt)}`
      : `${row.state}, ${plural(row.attempts, "attempt")}`;
  const paused = row.state === "pending" && row.paused ? ["its topic is paused"] : [];
  return station(name, {
    glyph: row.state,
    time: clock(row.createdAt),
    id: row.id,
    facts: [row.type, fact, ...paused],
    way,
  });
}

function ofEvent(story: MessageContext, sent: OutboxRow, held: readonly InboxRow[]): ChainView {
  const head = operationStation(story, sent.createdAt);
  const row = worstOf(held, "recorded");
  const gap = gapAfterOutbox(sent, held, head.length);
  if (row === undefined) {
    const way: ChainWay = { kind: gap === undefined ? "due" : gap.tone };
    const tail = [
      offStation("Inbox", sent.state === "pending" ? "not yet" : "no row here"),
      offStation("Effects", "none known"),
    ];
    return { stations: [...head, outboxStation(sent, way), ...(gap === undefined ? due(tail) : tail)], gap };
  }
  const way: ChainWay = solidWay(sent.createdAt, row.receivedAt);
  return withEffects(story, [...head, outboxStation(sent, way)], row, held);
}

function discardWord({ correctedBy }: OutboxRow): string {
  return correctedBy === undefined ? "discarded" : "corrected";
}

/** @param after stations before the outbox */
function gapAfterOutbox(sent: OutboxRow, held: readonly InboxRow[], after: number): ChainGap | undefined {
  if (held.length > 0 || sent.state === "pending") return undefined;
  if (sent.state === "dead") return deadGap(after, "outbox", sent.attempts);
  const facts =
    sent.state === "discarded" ? [discardWord(sent), "by a person"] : ["it left, and no", "inbox here has it"];
  return gapAfter(after, "outbox", "doubt", facts);
}

function ofArrival(story: MessageContext, row: InboxRow): ChainView {
  const sent = sentBy(story, row);
  if (sent === undefined) {
    const sender = station("Sender", { glyph: "executed", facts: [row.source, row.type], way: { kind: "solid" } });
    return withEffects(story, [sender], row, [row]);
  }
  const way: ChainWay = solidWay(sent.createdAt, row.receivedAt);
  return withEffects(story, [...operationStation(story, sent.createdAt), outboxStation(sent, way)], row, [row]);
}

/** The station of the inbox and what came of it. */
function withEffects(
  story: MessageContext,
  head: readonly ChainStation[],
  row: InboxRow,
  held: readonly InboxRow[],
): ChainView {
  const handled = held.filter((each) => each.state === "processed").length;
  const done = row.processedAt;
  const dead = row.state === "dead";
  const way: ChainWay = done === undefined ? { kind: dead ? "broken" : "due" } : solidWay(row.receivedAt, done);
  const fact =
    held.length === 1
      ? `${row.consumer}, ${stateWord(row)}`
      : `${String(handled)} of ${plural(held.length, "consumer")} done`;
  const more = held.length === 1 || row.state === "processed" ? [] : [`${row.consumer} ${stateWord(row)}`];
  const inbox = station("Inbox", {
    glyph: row.state,
    time: clock(row.receivedAt),
    id: row.id,
    facts: [fact, ...more],
    way,
  });
  if (dead) {
    const stations = [...head, inbox, offStation("Effects", handled > 0 ? "of the others only" : "none")];
    return { stations, gap: deadGap(head.length, "inbox", row.attempts) };
  }
  return { stations: [...head, inbox, done === undefined ? offStation("Effects", "not yet") : effects(story, row)] };
}

function stateWord(row: InboxRow): string {
  return row.state === "processed"
    ? `said ${row.result ?? "ok"}`
    : row.state === "recorded"
      ? "has not handled it"
      : row.state;
}

function effects(story: MessageContext, row: InboxRow): ChainStation {
  const { ledger, notifications } = story;
  const facts = [
    ...(ledger.length === 0 ? [] : [`${plural(ledger.length, "entry", "entries")} in the ledger`]),
    ...(notifications.length === 0 ? [] : [plural(notifications.length, "notification")]),
  ];
  if (facts.length === 0) return station("Effects", { glyph: "executed", facts: [row.result ?? "none recorded"] });
  return station("Effects", {
    glyph: "executed",
    time: clock(ledger[0]?.postedAt ?? row.processedAt ?? row.receivedAt),
    facts,
  });
}

/** A notification: event → consumer → this message → whoever gets it. */
function ofNotification(story: MessageContext, sent: OutboxRow): ChainView {
  const event = story.outbox.find((row) => !row.notification);
  const note = story.notifications.find((each) => each.outboxId === sent.id);
  const stations: ChainStation[] = [
    ...operationStation(story, event?.createdAt ?? sent.createdAt),
    ...(event === undefined ? [] : [outboxStation(event, solidWay(event.createdAt, sent.createdAt), "Event")]),
  ];
  const arrived = sent.state === "published" && sent.publishedBy !== "operator";
  const stuck = sent.state === "dead" || sent.state === "discarded";
  const way: ChainWay = arrived
    ? solidWay(sent.createdAt, sent.publishedAt ?? sent.createdAt)
    : { kind: stuck ? "broken" : "due" };
  const last = arrived
    ? station("Receiver", {
        glyph: "executed",
        time: clock(sent.publishedAt ?? sent.createdAt),
        facts: [sent.topicLabel, note?.mail === true ? "the mail server accepted it" : "acknowledged it"],
      })
    : offStation("Receiver", sent.topicLabel);
  const after = stations.length;
  const gap =
    sent.state === "dead"
      ? deadGap(after, "outbox", sent.attempts)
      : gapAfter(after, "outbox", "broken", [discardWord(sent), "by a person"]);
  return { stations: [...stations, outboxStation(sent, way), last], ...(stuck && { gap }) };
}

/** Not yet due: dotted ways between them. */
function due(stations: readonly ChainStation[]): ChainStation[] {
  return stations.map((each, index) => (index < stations.length - 1 ? { ...each, way: { kind: "due" } } : each));
}
