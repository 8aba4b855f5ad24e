import type { ReactNode } from "react";
import type { GlyphName } from "@/presentation/format/glyph";

/** What is cut out of a solid shape shows the paper behind it. */
const CUT = "var(--ob-glyph-cut, var(--ob-canvas))";
const line = {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.5,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;
const solid = { fill: "currentColor", stroke: "currentColor", strokeWidth: 1.4, strokeLinejoin: "round" } as const;
const square = <rect x="2.75" y="2.75" width="10.5" height="10.5" rx="1.5" {...line} strokeWidth={1.4} />;

const halfDisc = (
  <>
    <circle cx="8" cy="8" r="4.75" {...line} />
    <path d="M8 3.25a4.75 4.75 0 0 1 0 9.5z" fill="currentColor" />
  </>
);
const dashedRingAsk = (
  <>
    <circle cx="8" cy="8" r="6" {...line} strokeLinecap="butt" strokeDasharray="2.75 1.96" />
    <path d="M6.3 6.6a1.75 1.75 0 1 1 2.6 1.5c-.6.35-.9.65-.9 1.25" {...line} />
    <circle cx="8" cy="11.2" r=".9" fill="currentColor" />
  </>
);
const crossedSquare = (
  <>
    {square}
    <path d="m5.8 5.8 4.4 4.4m0-4.4-4.4 4.4" {...line} />
  </>
);
const notEqual = <path d="M3 6h10M3 10h10M10.6 2.6 5.4 13.4" {...line} strokeWidth={1.7} />;

/** Every drawn state on its 16 px grid. Disc: answer or operation. Square: end of the road. Triangle: message. */
export const GLYPH_ART: Readonly<Record<GlyphName, ReactNode>> = {
  executed: <circle cx="8" cy="8" r="5" fill="currentColor" />,
  replayed: <circle cx="8" cy="8" r="4.25" {...line} />,
  conflict: notEqual,
  in_progress: halfDisc,
  expired_retry: (
    <>
      <rect x="3" y="3" width="10" height="10" rx="1.5" {...line} strokeWidth={1.4} />
      <path d="M8 5.4V8.2l1.9 1.2" {...line} strokeWidth={1.3} />
    </>
  ),
  unknown: dashedRingAsk,
  failed: crossedSquare,
  IN_PROGRESS: halfDisc,
  STALE: (
    <>
      <circle cx="8" cy="8" r="5.5" {...line} strokeLinecap="butt" strokeDasharray="2.6 1.72" />
      <path d="M8 4.6a3.4 3.4 0 0 1 0 6.8z" fill="currentColor" />
    </>
  ),
  COMPLETED: (
    <>
      <circle cx="8" cy="8" r="6" fill="currentColor" />
      <path d="m5.2 8.2 2 2 3.7-4.2" {...line} stroke={CUT} strokeWidth={1.6} />
    </>
  ),
  FAILED_REPLAYABLE: crossedSquare,
  FAILED_RETRYABLE: (
    <>
      {square}
      <path d="M5.6 10.3h3.1a1.9 1.9 0 0 0 0-3.8H5.9M7.3 5 5.8 6.5 7.3 8" {...line} strokeWidth={1.3} />
    </>
  ),
  UNKNOWN_REQUIRES_RECOVERY: dashedRingAsk,
  EXPIRED: (
    <>
      <circle cx="8" cy="8" r="5.25" {...line} strokeWidth={1.4} />
      <path d="M8 5.1V8.2l2 1.2" {...line} strokeWidth={1.3} />
    </>
  ),
  pending: <path d="M5 3.4v9.2L12.4 8z" {...line} strokeWidth={1.4} />,
  published: <path d="M5 3.4v9.2L12.4 8z" {...solid} />,
  recorded: <path d="M3.4 5h9.2L8 12.4z" {...line} strokeWidth={1.4} />,
  processed: <path d="M3.4 5h9.2L8 12.4z" {...solid} />,
  duplicate: (
    <>
      <path d="M3.4 6.6h9.2L8 13.4z" {...line} strokeWidth={1.4} />
      <path d="M3.4 3.4h9.2" {...line} />
    </>
  ),
  dead: (
    <>
      <rect x="2.5" y="2.5" width="11" height="11" rx="1.5" fill="currentColor" />
      <path d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8" {...line} stroke={CUT} strokeWidth={1.7} />
    </>
  ),
  discarded: (
    <>
      {square}
      <path d="M5.4 8h5.2" {...line} />
    </>
  ),
  proven: <path d="m3.4 8.6 3 3 6.2-7.2" {...line} strokeWidth={1.8} />,
  gap: <path d="M1 8h4M11 8h4M5 4.2v7.6M11 4.2v7.6" {...line} />,
  skipped: <path d="M3.5 8h9" {...line} strokeWidth={1.8} />,
  empty: <circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" strokeWidth={1.3} strokeDasharray="1.3 1.84" />,
  same: <path d="M3.5 6.2h9M3.5 9.8h9" {...line} />,
  form: (
    <path
      d="M3 6.6c1.7-1.6 3.3-1.6 5 0s3.3 1.6 5 0M3 10.6c1.7-1.6 3.3-1.6 5 0s3.3 1.6 5 0"
      {...line}
      strokeWidth={1.3}
    />
  ),
};
