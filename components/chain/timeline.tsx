import type { CSSProperties } from "react";
import type { AxisStretch, AxisTick, TimelineRow, TimelineItem, TimelineView } from "@/presentation/operation/chain";
import { Glyph } from "@/components/ui/values/glyph";
import { ServerClock } from "@/components/ui/values/server-clock";
import styles from "./timeline.module.css";

/** Part of the width that the break of the axis takes, in per cent. */
const BREAK_WIDTH = 3.6;
const GLYPH = 14;

type ToX = (at: number) => number;

/** Where a moment lies, in per cent of the width; moments inside the break lie on it. */
function placer(stretches: TimelineView["stretches"]): ToX {
  const room = stretches.length === 2 ? 100 - BREAK_WIDTH : 100;
  return (at) => {
    let left = 0;
    for (const stretch of stretches) {
      const width = room * stretch.share;
      if (at <= stretch.to || stretch === stretches[stretches.length - 1]) return left + width * part(stretch, at);
      left += width + BREAK_WIDTH;
    }
    return left;
  };
}

function part(stretch: AxisStretch, at: number): number {
  const span = Math.max(1, stretch.to - stretch.from);
  return Math.min(1, Math.max(0, (at - stretch.from) / span));
}

/** *What happened when*: timeline rows on one time axis to scale, which may break once. */
export function Timeline({ stretches, ticks, now, lanes, spoken }: TimelineView) {
  const place = placer(stretches);
  const first = stretches[0];
  const crowded = crowdedOnPhone(ticks, place);
  const breakAt = stretches.length === 2 ? (100 - BREAK_WIDTH) * first.share : undefined;
  return (
    <figure className={styles["lanes"]} role="img" aria-label={spoken}>
      <div className={styles["axis"]} aria-hidden>
        {ticks.map((tick) => (
          <span
            key={tick.at}
            style={{ left: percent(place(tick.at)) }}
            data-minor={tick.minor || undefined}
            data-crowded={crowded.has(tick) || undefined}
            data-end={place(tick.at) > HANGS_LEFT_AT_END || undefined}
          >
            <ServerClock text={tick.label} at={tick.at} />
          </span>
        ))}
        {now !== undefined && (
          <span style={{ left: percent(place(now)) }} data-now>
            now
          </span>
        )}
      </div>
      <div className={styles["body"]} aria-hidden>
        <div className={styles["grid"]}>
          {ticks.map((tick) => (
            <i key={tick.at} style={{ left: percent(place(tick.at)) }} data-minor={tick.minor || undefined} />
          ))}
          {breakAt !== undefined && (
            <span className={styles["break"]} style={{ left: percent(breakAt), width: percent(BREAK_WIDTH) }} />
          )}
          {now !== undefined && <i style={{ left: percent(place(now)) }} data-now />}
        </div>
        {lanes.map((row) => (
          <Row key={row.name} row={row} place={place} breakAt={breakAt} />
        ))}
      </div>
    </figure>
  );
}

/** In per cent of the width: from there on a label would stand out of the drawing. */
const HANGS_LEFT_AT_END = 98;
/** Of the axis on a phone, px. */
const PHONE_AXIS = 330;
/** Of a letter, and between two labels, px. */
const LETTER = 6;
const BETWEEN = 8;

/** Labels that would lie on another one on a phone: the first stays, and what is nearer to now. */
function crowdedOnPhone(ticks: TimelineView["ticks"], place: ToX): ReadonlySet<AxisTick> {
  const shown = ticks.filter(({ minor }) => minor !== true);
  const room = ({ at, label }: AxisTick): readonly [number, number] => {
    const [middle, half] = [(place(at) / 100) * PHONE_AXIS, (label.length * LETTER + BETWEEN) / 2];
    return at === shown[0]?.at ? [middle, middle + 2 * half] : [middle - half, middle + half];
  };
  const kept: AxisTick[] = shown.slice(0, 1);
  const crowded = new Set<AxisTick>();
  for (const tick of shown.slice(1).reverse()) {
    const [from, to] = room(tick);
    const free = kept.every((other) => room(other)[0] >= to || room(other)[1] <= from);
    if (free) kept.push(tick);
    else crowded.add(tick);
  }
  return crowded;
}

function percent(value: number): string {
  return `${value.toFixed(3)}%`;
}

interface RowProps {
  readonly row: TimelineRow;
  readonly place: ToX;
  readonly breakAt: number | undefined;
}

function Row({ row, place, breakAt }: RowProps) {
  const rooms = noteRooms(row, place);
  return (
    <div className={styles["lane"]} data-notes={rooms.size > 0 || undefined}>
      <span className={styles["laneName"]}>{row.name}</span>
      <div className={styles["track"]}>
        <span className={styles["line"]} style={{ left: 0, width: percent(breakAt ?? 100) }} />
        {breakAt !== undefined && (
          <span className={styles["line"]} style={{ left: percent(breakAt + BREAK_WIDTH), right: 0 }} />
        )}
        {row.items.map((item, index) => (
          <Item key={`${itemKey(item)}-${String(index)}`} item={item} place={place} room={rooms.get(item)} />
        ))}
      </div>
    </div>
  );
}

function itemKey(item: TimelineItem): string {
  const at = "from" in item ? `${String(item.from)}-${String(item.to)}` : String(item.at);
  const what = item.kind === "mark" ? item.glyph : item.kind === "note" ? item.text : "";
  return `${item.kind}-${at}-${what}`;
}

interface ItemProps {
  readonly item: TimelineItem;
  readonly place: ToX;
  /** Of a note; one without room is not drawn. */
  readonly room: CSSProperties | undefined;
}

function Item({ item, place, room }: ItemProps) {
  switch (item.kind) {
    case "mark":
      return (
        <span className={styles["mark"]} style={{ left: percent(place(item.at)) }} title={item.title}>
          <Glyph name={item.glyph} size={GLYPH} tone={item.tone} />
        </span>
      );
    case "tick":
      return <span className={styles["tick"]} style={{ left: percent(place(item.at)) }} title={item.title} />;
    case "note":
      return (
        room !== undefined && (
          <span className={styles["note"]} data-tone={item.tone} style={room} title={item.text}>
            {item.text}
          </span>
        )
      );
    case "bar":
    case "way": {
      const left = place(item.from);
      const width = Math.max(0.3, place(item.to) - left);
      return (
        <span
          className={styles[item.kind]}
          data-tone={item.tone}
          data-capped={item.kind === "way" && item.capped === true ? true : undefined}
          style={{ left: percent(left), width: percent(width) }}
          title={item.title}
        >
          {item.kind === "bar" && item.label?.split(/(?=, )/).map((words) => <b key={words}>{words}</b>)}
        </span>
      );
    }
  }
}

/** In per cent of the width: from there on a note hangs to the left of its moment. */
const HANGS_LEFT_FROM = 78;
/** In per cent of the width: less room holds no word. */
const MIN_ROOM = 7;

/**
 * Notes stand on a line of their own beneath the marks, so that no mark lies on one. Each has the room up to the next; of
 * two at one place only the first is drawn, the title of its mark says the other.
 */
function noteRooms({ items }: TimelineRow, place: ToX): ReadonlyMap<TimelineItem, CSSProperties> {
  const notes = items
    .flatMap((item) => (item.kind === "note" ? [{ item, x: place(item.at) }] : []))
    .sort((a, b) => a.x - b.x);
  const rooms = new Map<TimelineItem, CSSProperties>();
  let taken = 0;
  for (const { item, x } of notes) {
    const hangsLeft = x > HANGS_LEFT_FROM;
    const from = hangsLeft ? taken : Math.max(taken, x);
    const next = notes.find((other) => other.x >= x + MIN_ROOM);
    const to = hangsLeft ? x : next === undefined ? 100 : next.x > HANGS_LEFT_FROM ? (x + next.x) / 2 : next.x;
    if (to - from < MIN_ROOM) continue;
    const maxWidth = percent(to - from);
    rooms.set(item, hangsLeft ? { right: percent(100 - x), maxWidth } : { left: percent(from), maxWidth });
    taken = to;
  }
  return rooms;
}
