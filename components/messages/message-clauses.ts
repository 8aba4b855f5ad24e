import type { ClauseProps } from "@/components/ui/verdict";
import { formatDuration } from "@/presentation/format/display-time";
import { messageBasics, SIDE_WORDS, type AnyMessage } from "@/presentation/message/sides";
import type { InboxDetail } from "@/presentation/views/inbox";
import type { OutboxDetail } from "@/presentation/views/outbox";
import { heldNow } from "./message-cells";

/** The verdict on one message: how it ended, else why it waits; of an arrival also how often it came. */
export function messageClauses(message: AnyMessage): readonly ClauseProps[] {
  return "topic" in message ? outcomeOf(message) : [...outcomeOf(message), ...arrivalsOf(message)];
}

function outcomeOf(message: AnyMessage): readonly ClauseProps[] {
  const { side, beganAt, doneAt } = messageBasics(message);
  const { state, attempts } = message;
  if (doneAt !== undefined) {
    const took = formatDuration(Date.parse(doneAt) - Date.parse(beganAt));
    return "topic" in message
      ? [{ text: publishedText(message, took) }, ...handledBy(message)]
      : [{ text: `Handled once, ${took} after it arrived.` }];
  }
  if ("topic" in message && message.correctedBy !== undefined)
    return [{ text: "Corrected by a person.", tone: "doubt" }, { text: "Another message was sent in its place." }];
  if (state === "discarded")
    return [{ text: "Discarded by a person.", tone: "doubt" }, { text: `It is never ${SIDE_WORDS[side].never}.` }];
  if (state === "dead") {
    const when = attempts <= 1 ? "at the first attempt" : `after ${String(attempts)} attempts`;
    return [
      { text: `Dead ${when}.`, tone: "broken" },
      { text: message.safe.text },
      ...(message.outlook === undefined
        ? []
        : [{ text: message.outlook.text, tone: message.outlook.tone === "broken" ? ("doubt" as const) : undefined }]),
    ];
  }
  return "topic" in message ? waitsToLeave(message) : [recorded(attempts)];
}

function waitsToLeave(message: OutboxDetail): readonly ClauseProps[] {
  const { attempts, paused, behind } = message;
  const safe: ClauseProps = { text: message.safe.text };
  if (heldNow(message, message.at) !== undefined && attempts > 0)
    return [{ text: `Under way, ${attempts === 1 ? "its first attempt" : `attempt ${String(attempts)}`}.` }, safe];
  if (paused) return [{ text: "Waits: its topic is paused.", tone: "doubt" }, { text: "Nothing is lost." }];
  if (behind !== undefined) return [{ text: "Waits behind an older message.", tone: "doubt" }, safe];
  if (attempts === 0) return [{ text: "Not sent yet." }, safe];
  const tried = attempts === 1 ? "once" : `${String(attempts)} times`;
  return [{ text: `Tried ${tried}, not accepted yet.`, tone: "doubt" }, safe];
}

function recorded(attempts: number): ClauseProps {
  return attempts === 0
    ? { text: "Recorded, not handled yet." }
    : { text: `Recorded, ${String(attempts)} attempts failed.`, tone: "doubt" };
}

function publishedText({ publishedBy, attempts }: OutboxDetail, took: string): string {
  if (publishedBy === "operator") return "Closed by a person: its consumer had it already.";
  return `Published ${took} after it was written, ${attempts <= 1 ? "at the first attempt" : `at attempt ${String(attempts)}`}.`;
}

function handledBy({ consumers }: OutboxDetail): readonly ClauseProps[] {
  if (consumers.length === 0) return [];
  const named = (state?: string): string =>
    consumers
      .filter((each) => state === undefined || each.state === state)
      .map((each) => each.consumer)
      .join(" and ");
  const dead = named("dead");
  if (dead !== "") return [{ text: `It is dead at ${dead}.`, tone: "broken" }];
  const open = named("recorded");
  if (open !== "") return [{ text: `${open} did not handle it yet.`, tone: "doubt" }];
  return [{ text: `Handled once by ${named()}.` }];
}

function arrivalsOf({ duplicates, mismatches }: InboxDetail): readonly ClauseProps[] {
  const came = 1 + duplicates + mismatches;
  const times = came === 1 ? "once." : `${came === 2 ? "twice" : `${String(came)} times`}, recorded once.`;
  return [
    { text: `Arrived ${times}` },
    ...(mismatches === 0
      ? []
      : [{ text: `${String(mismatches)} with another payload, never handled.`, tone: "conflict" as const }]),
  ];
}
