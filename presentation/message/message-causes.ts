import { resultText } from "@/domain/messages/requeue-claims";
import { heldBy, type MessageContext } from "./message-context";
import type { GlyphName } from "../format/glyph";
import type { InboxRow } from "../views/inbox";
import type { CauseRow, NotificationRow } from "../views/messages";
import type { LedgerRow } from "../views/operations";
import type { OutboxRow } from "../views/outbox";
import { plural } from "../format/words";

/** Lines of one page; an operation has fewer, unless somebody writes messages without end. */
const LINES = 80;

const NOTE_GLYPHS: Readonly<Record<NotificationRow["state"], GlyphName>> = {
  pending: "pending",
  sent: "published",
  skipped: "skipped",
};

/**
 * The causal chain through one message: its operation, the events of that, who handled them, and what each of those made. What
 * should be there and is not stands as a gap.
 */
export function buildCauses(story: MessageContext): readonly CauseRow[] {
  const { operation, outbox, inbox } = story;
  const depth = operation === undefined ? 0 : 1;
  const events = outbox.filter((row) => !row.notification);
  const shown = new Set<string>();
  const rows: CauseRow[] = operation === undefined ? [] : [operationRow(operation)];
  for (const event of events) rows.push(...eventRows(story, event, depth, shown));
  const strangers = inbox.filter((row) => !events.some((event) => event.id === row.messageId));
  for (const row of strangers) rows.push(inboxRow(row, depth, `${row.type} from ${row.source}`, story));
  rows.push(...leftOver(story, depth, shown));
  return rows.slice(0, LINES);
}

function operationRow(operation: NonNullable<MessageContext["operation"]>): CauseRow {
  return {
    id: `operation ${operation.id}`,
    depth: 0,
    glyph: operation.state,
    what: operation.money === undefined ? operation.kind : `${operation.kind} ${operation.money}`,
    fact: `asked by ${operation.client}`,
    href: `/operations/${operation.id}`,
    ref: operation.id,
    at: operation.createdAt,
  };
}

function outboxRow(row: OutboxRow, depth: number, story: MessageContext): CauseRow {
  const way = row.transport === undefined ? row.topicLabel : `${row.topicLabel} by ${row.transport}`;
  return {
    id: `outbox ${row.id}`,
    depth,
    glyph: row.state,
    what: row.type,
    fact:
      row.state === "published"
        ? row.publishedBy === "operator"
          ? "closed by a person, not sent"
          : `left to ${way}`
        : `${row.state}, ${plural(row.attempts, "attempt")}${row.paused ? ", its topic is paused" : ""}`,
    href: `/outbox/${row.id}`,
    ref: row.id,
    at: row.publishedAt ?? row.createdAt,
    here: story.here.side === "outbox" && story.here.id === row.id,
  };
}

function eventRows(story: MessageContext, event: OutboxRow, depth: number, shown: Set<string>): readonly CauseRow[] {
  const held = heldBy(story, event);
  const rows: CauseRow[] = [outboxRow(event, depth, story)];
  if (held.length === 0) rows.push(nobodyHas(event, depth + 1));
  for (const row of held) {
    rows.push(inboxRow(row, depth + 1, row.consumer, story));
    rows.push(...effectsOf(story, row, depth + 2, shown));
  }
  return rows;
}

function nobodyHas(event: OutboxRow, depth: number): CauseRow {
  const gap = (what: string, fact: string): CauseRow => ({
    id: `gap ${event.id}`,
    depth,
    glyph: "gap",
    what,
    fact,
    gap: true,
  });
  if (event.state === "dead")
    return { ...gap("Not delivered", `dead after ${plural(event.attempts, "attempt")}`), tone: "broken" };
  if (event.state === "discarded")
    return gap("Not delivered", event.correctedBy === undefined ? "discarded by a person" : "corrected by a person");
  if (event.state === "pending")
    return {
      ...gap("Not delivered yet", event.paused ? "its topic is paused, nothing is lost" : "queued"),
      glyph: "empty",
      gap: false,
    };
  return gap("No inbox row here", "a receiver outside this system may have it");
}

function inboxRow(row: InboxRow, depth: number, what: string, story: MessageContext): CauseRow {
  const again = row.duplicates === 0 ? "" : `, ${plural(row.duplicates, "duplicate")} refused`;
  const other = row.mismatches === 0 ? "" : `, ${String(row.mismatches)} with another payload`;
  const fact: Readonly<Record<InboxRow["state"], string>> = {
    processed: `handled${resultText(row)}`,
    recorded: row.attempts > 0 ? `recorded, ${plural(row.attempts, "attempt")} failed` : "recorded, not handled yet",
    dead: `dead after ${plural(row.attempts, "attempt")}`,
    discarded: "discarded by a person",
  };
  return {
    id: `inbox ${row.id}`,
    depth,
    glyph: row.state,
    what,
    fact: `${fact[row.state]}${again}${other}`,
    href: `/inbox/${row.id}`,
    ref: row.id,
    at: row.processedAt ?? row.receivedAt,
    here: story.here.side === "inbox" && story.here.id === row.id,
  };
}

/** What one handled message made. The ledger's consumer posts entries; others write notifications of their kind. */
function effectsOf(story: MessageContext, row: InboxRow, depth: number, shown: Set<string>): readonly CauseRow[] {
  if (row.state === "dead" || row.state === "recorded") {
    const fact = row.state === "dead" ? "nothing after it happens until somebody acts" : "not due before it is handled";
    const gap = row.state === "dead";
    return [
      {
        id: `gap ${row.id}`,
        depth,
        glyph: gap ? "gap" : "empty",
        what: "No effect",
        fact,
        gap,
        ...(gap && { tone: "broken" }),
      },
    ];
  }
  const rows: CauseRow[] = [];
  if (row.consumer === "ledger")
    for (const entry of story.ledger) rows.push(...once(shown, entry.id, [entryRow(entry, depth)]));
  for (const note of story.notifications)
    if (row.consumer.includes(note.kind)) rows.push(...once(shown, note.id, noteRows(story, note, depth)));
  return rows;
}

function leftOver(story: MessageContext, depth: number, shown: Set<string>): readonly CauseRow[] {
  const notes = story.notifications.flatMap((note) => once(shown, note.id, noteRows(story, note, depth)));
  const carried = new Set(story.notifications.map((note) => note.outboxId));
  const alone = story.outbox.filter((row) => row.notification && !carried.has(row.id));
  return [
    ...story.ledger.flatMap((entry) => once(shown, entry.id, [entryRow(entry, depth)])),
    ...notes,
    ...alone.map((row) => outboxRow(row, depth, story)),
  ];
}

function once(shown: Set<string>, id: string, rows: readonly CauseRow[]): readonly CauseRow[] {
  if (shown.has(id)) return [];
  shown.add(id);
  return rows;
}

function entryRow(entry: LedgerRow, depth: number): CauseRow {
  return {
    id: `ledger ${entry.id}`,
    depth,
    glyph: "executed",
    what: `Ledger entry ${entry.money.display}`,
    fact: entry.entryType.replaceAll("_", " "),
    ref: entry.id,
    at: entry.postedAt,
  };
}

function noteRows(story: MessageContext, note: NotificationRow, depth: number): readonly CauseRow[] {
  const fact =
    note.state === "sent"
      ? `sent, ${plural(note.attempts, "attempt")}`
      : note.state === "skipped"
        ? "nobody to send it to"
        : "not sent yet";
  const own: CauseRow = {
    id: `notification ${note.id}`,
    depth,
    glyph: NOTE_GLYPHS[note.state],
    ...(note.state === "skipped" && { tone: "quiet" }),
    what: note.mail ? "Receipt by mail" : `Notification ${note.kind}`,
    fact,
    ref: note.key,
    at: note.sentAt ?? note.createdAt,
  };
  const carrier = story.outbox.find((row) => row.id === note.outboxId);
  return carrier === undefined ? [own] : [own, outboxRow(carrier, depth + 1, story)];
}
