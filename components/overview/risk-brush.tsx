"use client";

import { useRouter } from "next/navigation";
import { useState, type KeyboardEvent, type PointerEvent } from "react";
import { usePlace } from "@/components/ui/place";
import type { RiskTime } from "@/domain/metrics/risk";
import { momentText } from "@/presentation/risk/moment-text";
import styles from "./risk.module.css";

export interface RiskBrushProps {
  readonly time: RiskTime;
  /** What is brushed; undefined: all of the chart. */
  readonly window?: { readonly from: string; readonly to: string } | undefined;
}

const MINUTE = 60_000;
const FAR = 10;
/** A shorter drag is a click, which brushes nothing. px */
const CLICK = 4;

/** Places of the handles, ms. */
interface Edges {
  readonly from: number;
  readonly to: number;
}
type Edge = keyof Edges;

/** Two handles over the chart. A drag or the arrow keys move an edge by whole minutes, on a long chart by its steps; the window goes into the address. */
export function RiskBrush(props: RiskBrushProps) {
  const { edges, moved, brush, key } = useBrush(props);
  const { first, last } = boundsOf(props);
  const [begin, end] = [Date.parse(props.time.from), Date.parse(props.time.to)];
  // A whole minute at either end may lie a little outside of the chart.
  const at = (ms: number): string =>
    `${(Math.min(1, Math.max(0, (ms - begin) / Math.max(1, end - begin))) * 100).toFixed(3)}%`;
  const shown = props.window !== undefined || moved;
  return (
    <div className={styles["brush"]} {...brush}>
      {shown && (
        <i className={styles["brushed"]} style={{ left: at(edges.from), right: `calc(100% - ${at(edges.to)})` }} />
      )}
      {(["from", "to"] as const).map((edge) => (
        <span
          key={edge}
          className={styles["handle"]}
          data-edge={edge}
          data-idle={!shown || undefined}
          role="slider"
          tabIndex={0}
          aria-label={edge === "from" ? "Start of the window" : "End of the window"}
          aria-valuemin={edge === "from" ? first / MINUTE : edges.from / MINUTE + 1}
          aria-valuemax={edge === "from" ? edges.to / MINUTE - 1 : last / MINUTE}
          aria-valuenow={edges[edge] / MINUTE}
          aria-valuetext={`${momentText(new Date(edges[edge]).toISOString(), props.time)} UTC`}
          style={{ left: at(edges[edge]) }}
          {...key(edge)}
        />
      ))}
    </div>
  );
}

/** Whole minutes around the chart. */
function boundsOf({ time: { from, to } }: RiskBrushProps): { readonly first: number; readonly last: number } {
  return {
    first: Math.floor(Date.parse(from) / MINUTE) * MINUTE,
    last: Math.ceil(Date.parse(to) / MINUTE) * MINUTE,
  };
}

function useBrush(props: RiskBrushProps) {
  const { first, last } = boundsOf(props);
  const { window } = props;
  const asked: Edges =
    window === undefined ? { from: first, to: last } : { from: Date.parse(window.from), to: Date.parse(window.to) };
  const [draft, setDraft] = useState<{ readonly for: string; readonly edges: Edges }>();
  const [drag, setDrag] = useState<{ readonly at: number; readonly x: number; readonly edge: Edge | undefined }>();
  // What was moved lasts until the address says another window; a live chart moves on meanwhile.
  const place = window === undefined ? "" : `${window.from} ${window.to}`;
  const own = draft?.for === place ? draft.edges : undefined;
  const edges = clamped(own ?? asked, first, last);
  const show = useShowWindow();
  const move = (next: Edges): void => {
    setDraft({ for: place, edges: clamped(next, first, last) });
  };
  const minuteAt = (event: PointerEvent): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const [begin, end] = [Date.parse(props.time.from), Date.parse(props.time.to)];
    const ms = begin + ((event.clientX - left) / Math.max(1, width)) * (end - begin);
    return Math.round(ms / MINUTE) * MINUTE;
  };
  const brush = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.button !== 0) return;
      const edge = event.target instanceof HTMLElement ? (event.target.dataset["edge"] as Edge | undefined) : undefined;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ at: minuteAt(event), x: event.clientX, edge });
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (drag === undefined || Math.abs(event.clientX - drag.x) < CLICK) return;
      const at = minuteAt(event);
      if (drag.edge !== undefined) move(withEdge(edges, drag.edge, at));
      else move({ from: Math.min(drag.at, at), to: Math.max(drag.at, at) });
    },
    onPointerUp: () => {
      setDrag(undefined);
      if (drag !== undefined && own !== undefined) show(edges);
    },
    onPointerCancel: () => {
      setDrag(undefined);
      setDraft(undefined);
    },
  };
  const key = (edge: Edge) => ({
    onKeyDown: (event: KeyboardEvent) => {
      const one = Math.max(1, Math.round(props.time.stepSeconds / 60));
      const step = event.shiftKey ? FAR * one : one;
      const by: Readonly<Record<string, number>> = {
        ArrowLeft: -step,
        ArrowDown: -step,
        ArrowRight: step,
        ArrowUp: step,
        PageDown: -FAR * one,
        PageUp: FAR * one,
      };
      const to = event.key === "Home" ? first : event.key === "End" ? last : undefined;
      const minutes = by[event.key];
      if (minutes === undefined && to === undefined) return;
      move(withEdge(edges, edge, to ?? edges[edge] + (minutes ?? 0) * MINUTE));
      event.preventDefault();
      event.stopPropagation();
    },
    // The page is read once for a key that is held.
    onKeyUp: () => {
      if (own !== undefined) show(edges);
    },
  });
  return { edges, moved: own !== undefined, brush, key };
}

function useShowWindow(): (edges: Edges) => void {
  const router = useRouter();
  const { hrefOf } = usePlace();
  return ({ from, to }) => {
    const text = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");
    router.replace(hrefOf({ from: text(from), to: text(to) }), { scroll: false });
  };
}

function withEdge(edges: Edges, edge: Edge, at: number): Edges {
  return edge === "from"
    ? { ...edges, from: Math.min(at, edges.to - MINUTE) }
    : { ...edges, to: Math.max(at, edges.from + MINUTE) };
}

/** Inside the chart, at least a minute long. */
function clamped({ from, to }: Edges, first: number, last: number): Edges {
  const begin = Math.min(Math.max(from, first), last - MINUTE);
  return { from: begin, to: Math.max(begin + MINUTE, Math.min(to, last)) };
}
