import { plural } from "../format/words";
import type { Zone } from "@/domain/time-zone";
import { formatClock, zoneWord } from "../format/display-time";
import type { DrawnLane, DrawnMark, ReferenceChart, ReferenceEvent, ReferenceLane } from "../views/references";
import { apart, axisOf, type Axis } from "./axis";
import type { MoneyKeyFacts, LedgerFacts, ReferenceFacts } from "./facts";
import { amounts } from "./headline";
import { moneyOutcome } from "./outcomes";

/** Lanes that are drawn; a key that moved money or may have is always among them. */
const LANES = 12;
/** Marks that are drawn in one lane; the table has them all. */
const MARKS = 12;
/** Room of an amount at the ledger line, in per cent of the width. */
const AMOUNT_WIDTH = 9;

/** @param lanes keys, refunds, voids and webhooks @param events their marks in order of time @param zone of the clocks */
export function buildChart(
  facts: ReferenceFacts,
  lanes: readonly ReferenceLane[],
  events: readonly ReferenceEvent[],
  zone: Zone,
): ReferenceChart {
  const drawn = drawnLanes(facts, lanes);
  const open = events.some(({ line }) => line === "doubt");
  const shown = events.filter(({ lane }) => drawn.some(({ id }) => id === lane));
  const axis = axisOf(
    shown.map(({ at }) => at),
    open ? facts.at : undefined,
    zone,
  );
  const tracks = drawn.map((lane) =>
    track(
      lane,
      shown.filter((event) => event.lane === lane.id),
      axis,
      zone,
    ),
  );
  return {
    ticks: axis.ticks,
    zone: zoneWord(zone),
    breakAt: axis.breakAt,
    lanes: tracks,
    folded: lanes.length - drawn.length,
    ledger: ledgerOf(facts, tracks),
    spoken: `${drawn.map(({ spoken }) => spoken).join(" ")} Ledger: ${ledgerResult(facts)}.`,
  };
}

/** Lanes that moved nothing make room first, the latest of them. */
function drawnLanes(facts: ReferenceFacts, lanes: readonly ReferenceLane[]): readonly ReferenceLane[] {
  const quiet = new Set(
    effectsIn(facts).flatMap((effect) => (moneyOutcome(effect) === "none" ? effect.operationId : [])),
  );
  const room = Math.max(0, LANES - lanes.filter(({ id }) => !quiet.has(id)).length);
  const kept = new Set(lanes.filter(({ id }) => quiet.has(id)).slice(0, room));
  return lanes.filter((lane) => !quiet.has(lane.id) || kept.has(lane));
}

function track(lane: ReferenceLane, events: readonly ReferenceEvent[], axis: Axis, zone: Zone): DrawnLane {
  const shown = events.filter((event, index) => index < MARKS || event.line !== undefined);
  const from = shown.findIndex(({ line }) => line !== undefined && line !== "confirms");
  const places = apart(
    shown.map(({ at }) => axis.place(at)),
    from < 0 ? undefined : from,
    shown.length < events.length,
  );
  const marks = shown.map((event, index) => mark(event, places[index] ?? 0, zone));
  const lines = shown.flatMap(({ line }, index) => (line === undefined ? [] : [{ x: places[index] ?? 0, kind: line }]));
  const last = places.at(-1);
  const ends = lines.length === 0 && lane.kind !== "webhooks" && last !== undefined;
  return {
    lane: lane.id,
    marks,
    more: events.length - shown.length,
    lines,
    end: ends ? { x: places[0] ?? last, text: "ends here" } : undefined,
  };
}

function mark(event: ReferenceEvent, x: number, zone: Zone): DrawnMark {
  const { id, glyph, tone, href, text, at, laneName } = event;
  return { id, x, glyph, tone, href, spoken: `${laneName}, ${formatClock(at, zone)} ${zoneWord(zone)}: ${text}` };
}

function effectsIn({ payments, reversals }: ReferenceFacts): readonly MoneyKeyFacts[] {
  return [...payments, ...reversals];
}

function signed({ entryType, minor, currency }: LedgerFacts): string {
  return `${entryType === "payment" ? "+" : "−"}${amounts([{ minor, currency }])}`;
}

/** Where a line comes down there is an entry; amounts that would touch are left to the lanes. */
function ledgerOf(facts: ReferenceFacts, tracks: readonly DrawnLane[]): ReferenceChart["ledger"] {
  const found = effectsIn(facts).flatMap((effect) => {
    const line = tracks.find(({ lane }) => lane === effect.operationId)?.lines.find(({ kind }) => kind !== "confirms");
    return line === undefined ? [] : effect.ledger.map((entry) => ({ id: entry.id, x: line.x, text: signed(entry) }));
  });
  const marks = found.sort((a, b) => a.x - b.x);
  let free = -AMOUNT_WIDTH;
  return {
    marks: marks.map((each) => {
      const side = each.x > 100 - AMOUNT_WIDTH ? ("left" as const) : ("right" as const);
      const start = side === "left" ? each.x - AMOUNT_WIDTH : each.x;
      const labelled = start >= free;
      if (labelled) free = start + AMOUNT_WIDTH;
      return { ...each, labelled, side };
    }),
    result: ledgerResult(facts),
    note: plural(
      effectsIn(facts).reduce((sum, { ledger }) => sum + ledger.length, 0),
      "entry",
      "entries",
    ),
  };
}

/** The sum of the ledger's entries by currency: charges less what went back. */
function ledgerResult(facts: ReferenceFacts): string {
  const totals = new Map<string, bigint>();
  for (const { entryType, minor, currency } of effectsIn(facts).flatMap(({ ledger }) => ledger))
    totals.set(currency, (totals.get(currency) ?? 0n) + (entryType === "payment" ? minor : -minor));
  return totals.size === 0 ? "nothing" : amounts([...totals].map(([currency, minor]) => ({ currency, minor })));
}
