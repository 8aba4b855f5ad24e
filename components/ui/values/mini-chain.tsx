import type { ReactNode } from "react";
import type { MiniChainView, MiniStation } from "@/presentation/operation/chain";
import { CHAIN_STATIONS, chainWords } from "@/presentation/operation/chain-words";
import styles from "./sparklines.module.css";

const FIRST = 5;
const RADIUS = 4.6;
const MIDDLE = 8;

const doubtful = (x: number): ReactNode =>
  disc(x, 3.9, { fill: "none", stroke: "var(--ob-doubt-mark)", strokeWidth: 1.6, strokeDasharray: "2.45 1.63" });

/** Each drawn around its place; what is not used or not due has no mark. */
const STATIONS: Readonly<Partial<Record<MiniStation, (x: number) => ReactNode>>> = {
  done: (x) => disc(x, 3.1, { fill: "var(--ob-ink2)" }),
  moving: (x) => (
    <g key={x} transform={`translate(${String(x)} ${String(MIDDLE)})`}>
      <circle r={3.2} fill="none" stroke="var(--ob-accent)" strokeWidth={1.3} />
      <path d="M0 -3.2a3.2 3.2 0 0 1 0 6.4z" fill="var(--ob-accent)" />
    </g>
  ),
  waiting: (x) => disc(x, 1.4, { fill: "var(--ob-line-strong)" }),
  unknown: doubtful,
  unconfirmed: doubtful,
  refused: (x) => square(x, 3.4, { fill: "none", stroke: "var(--ob-ink2)", strokeWidth: 1.3 }),
  dead: (x) => square(x, 3.8, { fill: "var(--ob-broken)" }),
  missing: (x) => disc(x, 2.9, { fill: "none", stroke: "var(--ob-ink3)", strokeWidth: 1, strokeDasharray: "1.1 1.18" }),
};

type MarkLook = Readonly<Partial<Record<"fill" | "stroke" | "strokeDasharray", string>>> & {
  readonly strokeWidth?: number;
};

function disc(x: number, r: number, look: MarkLook): ReactNode {
  return <circle key={x} cx={x} cy={MIDDLE} r={r} {...look} />;
}

function square(x: number, half: number, look: MarkLook): ReactNode {
  return <rect key={x} x={x - half} y={MIDDLE - half} width={2 * half} height={2 * half} rx={1} {...look} />;
}

/** Of the lines between stations. */
const WAYS = {
  whole: { stroke: "var(--ob-ink2)", strokeWidth: 1.4 },
  ahead: { stroke: "var(--ob-line-mid)", strokeWidth: 1.2, strokeDasharray: "1.2 2.4" },
  doubtful: { stroke: "var(--ob-doubt-mark)", strokeWidth: 1.4, strokeDasharray: "2.5 2" },
  endsInDoubt: { stroke: "var(--ob-doubt-mark)", strokeWidth: 1.4, fill: "none" },
  broken: { stroke: "var(--ob-broken)", strokeWidth: 1.4, fill: "none" },
} as const;
type WayLook = keyof typeof WAYS;

interface MiniChainProps {
  readonly stations: MiniChainView;
  /** Width in px; 100 in a dense list, 110 on the overview. */
  readonly width?: 100 | 110 | undefined;
}

/**
 * Six stations in a table cell: a healthy column is a column of unbroken lines, the eye finds the broken one. Lines that look the same are
 * one path: a list has fifty chains.
 */
export function MiniChain({ stations, width = 100 }: MiniChainProps) {
  const pitch = (width - 2 * FIRST) / (CHAIN_STATIONS.length - 1);
  const ways = new Map<WayLook, string>();
  const marks = CHAIN_STATIONS.map((_, index) => {
    const x = FIRST + index * pitch;
    const here = stations[index] ?? "missing";
    const next = stations[index + 1];
    const look = next === undefined ? undefined : wayLook(here, next);
    if (next !== undefined && look !== undefined) {
      const from = here === "unused" ? x : x + RADIUS;
      const to = next === "unused" ? x + pitch : x + pitch - RADIUS;
      const way = look === "endsInDoubt" || look === "broken" ? "h5m0-3v6" : `H${String(to)}`;
      ways.set(look, `${ways.get(look) ?? ""}M${String(from)} ${String(MIDDLE)}${way}`);
    }
    return STATIONS[here]?.(x);
  });
  return (
    <svg
      className={styles["mini"]}
      width={width}
      height="16"
      viewBox={`0 0 ${String(width)} 16`}
      role="img"
      aria-label={`Chain: ${chainWords(stations)}`}
    >
      {[...ways].map(([look, d]) => (
        <path key={look} d={d} {...WAYS[look]} />
      ))}
      {marks}
    </svg>
  );
}

function wayLook(from: MiniStation, to: MiniStation): WayLook | undefined {
  if (from === "missing" || from === "not_due" || to === "not_due" || from === "refused") return undefined;
  if (from === "dead") return "broken";
  if (from === "unknown") return "endsInDoubt";
  if (to === "unknown") return "doubtful";
  return to === "waiting" || from === "waiting" || from === "moving" ? "ahead" : "whole";
}
