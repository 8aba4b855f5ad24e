import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { formatClock } from "@/presentation/format/display-time";
import type { RiskMark } from "@/presentation/views/risk";
import type { PlacedMark } from "./risk-layout";
import styles from "./risk.module.css";

const KINDS: Readonly<Record<RiskMark["kind"], string>> = {
  deploy: "Deploy",
  policy: "Policy change",
  pause: "Pause or stop",
  incident: "Incident",
};

/** Nearer to an end of the chart words are set from the mark inwards, per cent. */
const EDGE = 8;

/** "Deploy: api 2.31.0, 14:02 UTC". */
export function markWords({ kind, label, at, until }: RiskMark): string {
  const clock = (iso: string): string => formatClock(iso, "utc").slice(0, 5);
  return `${KINDS[kind]}: ${label}, ${clock(at)}${until === undefined ? "" : ` to ${clock(until)}`} UTC`;
}

/** Above the chart; each leads to what it is about. */
export function RiskMarks({ marks }: { readonly marks: readonly PlacedMark[] }) {
  if (marks.length === 0) return <div className={styles["marks"]} />;
  return (
    <ul className={styles["marks"]} aria-label="Marks">
      {marks.map(({ mark, x, width, label, wideOnly }) => (
        <li
          key={mark.id}
          data-mark={mark.kind}
          data-side={x < EDGE ? "start" : x + width > 100 - EDGE ? "end" : undefined}
          style={{ left: `${x.toFixed(3)}%`, width: mark.kind === "incident" ? `${width.toFixed(3)}%` : undefined }}
        >
          <MarkLink mark={mark}>
            {label !== undefined && (
              <span aria-hidden data-wide={wideOnly || undefined}>
                {label}
              </span>
            )}
            <i aria-hidden />
          </MarkLink>
        </li>
      ))}
    </ul>
  );
}

function MarkLink({ mark, children }: { readonly mark: RiskMark; readonly children: ReactNode }) {
  const words = markWords(mark);
  const look = { title: words, "aria-label": words };
  if (mark.href === undefined)
    return (
      <span role="img" {...look}>
        {children}
      </span>
    );
  // Where a pipeline says more is another site.
  if (mark.kind === "deploy")
    return (
      <a href={mark.href} rel="noreferrer" data-plain {...look}>
        {children}
      </a>
    );
  return (
    <Link href={mark.href} data-plain {...look}>
      {children}
    </Link>
  );
}
