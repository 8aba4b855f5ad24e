import type { ReactNode } from "react";
import type { MiniChainView, MiniStation } from "@/presentation/operation/chain";
import { CHAIN_STATIONS, chainWords } from "@/presentation/operation/chain-words";
import styles from "./sparklines.module.css";

const FIRST = 5;
const RADIUS = 4.6;

/** Each drawn around the middle of its place; what is not used or not due has no mark. */
const STATIONS: Readonly<Partial<Record<MiniStation, ReactNode>>> = {
  done: <circle r={3.1} fill="var(--ob-ink2)" />,
  moving: (
    <>
      <circle r={3.2} fill="none" stroke="var(--ob-accent)" strokeWidth={1.3} />
      <path d="M0 -3.2a3.2 3.2 0 0 1 0 6.4z" fill="var(--ob-accent)" />
    </>
  ),
  waiting: <circle r={1.4} fill="var(--ob-line-strong)" />,
  unknown: <circle r={3.9} fill="none" stroke="var(--ob-doubt-mark)" strokeWidth={1.6} strokeDasharray="2.45 1.63" />,
  unconfirmed: (
    <circle r={3.9} fill="none" stroke="var(--ob-doubt-mark)" strokeWidth={1.6} strokeDasharray="2.45 1.63" />
  ),
  refused: (
    <rect x={-3.4} y={-3.4} width={6.8} height={6.8} rx={1} fill="none" stroke="var(--ob-ink2)" strokeWidth={1.3} />
  ),
  dead: <rect x={-3.8} y={-3.8} width={7.6} height={7.6} rx={1} fill="var(--ob-broken)" />,
  missing: <circle r={2.9} fill="none" stroke="var(--ob-ink3)" strokeWidth={1} strokeDasharray="1.1 1.18" />,
};

interface MiniChainProps {
  readonly stations: MiniChainView;
  /** Width in px; 100 in a dense list, 110 on the overview. */
  readonly width?: 100 | 110 | undefined;
}

/** Six stations in a table cell: a healthy column is a column of unbroken lines, the eye finds the broken one. */
export function MiniChain({ stations, width = 100 }: MiniChainProps) {
  const pitch = (width - 2 * FIRST) / (CHAIN_STATIONS.length - 1);
  return (
    <svg
      className={styles["mini"]}
      width={width}
      height="16"
      viewBox={`0 0 ${String(width)} 16`}
      role="img"
      aria-label={`Chain: ${chainWords(stations)}`}
    >
      {CHAIN_STATIONS.map((name, index) => {
        const x = FIRST + index * pitch;
        const next = stations[index + 1];
        const here = stations[index] ?? "missing";
        return (
          <g key={name}>
            {next !== undefined && <Way from={here} to={next} x1={x} x2={x + pitch} />}
            <g transform={`translate(${String(x)} 8)`}>{STATIONS[here]}</g>
          </g>
        );
      })}
    </svg>
  );
}

interface WayProps {
  readonly from: MiniStation;
  readonly to: MiniStation;
  readonly x1: number;
  readonly x2: number;
}

function Way({ from, to, x1, x2 }: WayProps) {
  if (from === "missing" || from === "not_due" || to === "not_due" || from === "refused") return null;
  const start = from === "unused" ? x1 : x1 + RADIUS;
  const end = to === "unused" ? x2 : x2 - RADIUS;
  const d = `M${String(start)} 8H${String(end)}`;
  if (from === "unknown" || from === "dead") {
    const color = from === "dead" ? "var(--ob-broken)" : "var(--ob-doubt-mark)";
    return <path d={`M${String(start)} 8h5m0-3v6`} stroke={color} strokeWidth={1.4} fill="none" />;
  }
  if (to === "unknown") return <path d={d} stroke="var(--ob-doubt-mark)" strokeWidth={1.4} strokeDasharray="2.5 2" />;
  if (to === "waiting" || from === "waiting" || from === "moving") {
    return <path d={d} stroke="var(--ob-line-mid)" strokeWidth={1.2} strokeDasharray="1.2 2.4" />;
  }
  return <path d={d} stroke="var(--ob-ink2)" strokeWidth={1.4} />;
}
