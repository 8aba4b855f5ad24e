import type { ChainGap, ChainStation, ChainWay } from "./chain";
import { formatClock, formatDuration } from "../format/display-time";
import { plural } from "../format/words";

/** What the chains of an operation and of a message are built of. */

export const clock = (at: string): string => formatClock(at, "utc", true);
export const between = (from: string, to: string): string => formatDuration(Date.parse(to) - Date.parse(from));

export function solidWay(from: string, to: string): ChainWay {
  return { kind: "solid", duration: between(from, to) };
}

/** @param spoken without it: its time and its facts */
export function station(
  name: string,
  parts: Omit<ChainStation, "name" | "spoken">,
  spoken = [parts.time, ...parts.facts].filter((part) => part !== undefined).join(", "),
): ChainStation {
  return { name, ...parts, spoken: `${name}: ${spoken}` };
}

/** Behind a gap, or not yet due. */
export function offStation(name: string, fact: string): ChainStation {
  return station(name, { glyph: "empty", presence: "off", facts: [fact] });
}

/** @param spoken without it: its facts */
export function gapAfter(
  after: number,
  name: string,
  tone: ChainGap["tone"],
  facts: readonly string[],
  spoken = `: ${facts.join(" ")}`,
): ChainGap {
  return { after, tone, facts, spoken: `Gap after the ${name}${spoken}` };
}

/** The chain ends where a message died. */
export function deadGap(after: number, side: "outbox" | "inbox", attempts: number): ChainGap {
  const fact = side === "outbox" ? "not delivered after" : "not handled after";
  return gapAfter(after, side, "broken", [fact, plural(attempts, "attempt")]);
}

/** Of several rows the one that is drawn: what stands still comes first. */
export function worstOf<Row extends { readonly state: string }>(
  rows: readonly Row[],
  waits: "pending" | "recorded",
): Row | undefined {
  return rows.find((row) => row.state === "dead") ?? rows.find((row) => row.state === waits) ?? rows[0];
}
