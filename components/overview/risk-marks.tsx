import { below } from "@/components/ui/base-path";
import type { CSSProperties, ReactNode } from "react";
import { Link } from "@/components/ui/link";
import type { RiskTime } from "@/domain/metrics/risk";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { withoutMilliseconds } from "@/presentation/metrics/measure-links";
import { momentText } from "@/presentation/risk/moment-text";
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

/** "Deploy: api 2.31.0, 14:02 UTC"; with the day on a chart of several. */
export function markWords({ kind, label, at, until }: RiskMark, time: RiskTime): string {
  const clock = (iso: string): string => momentText(iso, time);
  return `${KINDS[kind]}: ${label}, ${clock(at)}${until === undefined ? "" : ` to ${clock(until)}`} UTC`;
}

export interface RiskMarksProps {
  readonly marks: readonly PlacedMark[];
  readonly time: RiskTime;
  readonly address: PageAddress;
}

/** Above the chart; each leads to what it is about, an incident to the window of its time. */
export function RiskMarks({ marks, time, address }: RiskMarksProps) {
  if (marks.length === 0) return <div className={styles["marks"]} />;
  return (
    <ul className={styles["marks"]} aria-label="Marks">
      {marks.map(({ mark, x, width, label, wideOnly }) => (
        <li
          key={mark.id}
          data-mark={mark.kind}
          data-side={x < EDGE ? "start" : x + width > 100 - EDGE ? "end" : undefined}
          style={placeStyle(x, mark.kind === "incident" ? width : undefined)}
        >
          <MarkLink mark={mark} href={mark.href ?? incidentHref(mark, address)} words={markWords(mark, time)}>
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

/** @param width of what lasted, per cent of the chart */
function placeStyle(x: number, width: number | undefined): CSSProperties {
  const left = `${x.toFixed(3)}%`;
  if (width === undefined) return { left };
  return { left, width: `${width.toFixed(3)}%`, "--share": width.toFixed(3) } as CSSProperties;
}

/** What changed is compared with the usual of exactly these minutes. */
function incidentHref({ kind, at, until }: RiskMark, address: PageAddress): string | undefined {
  if (kind !== "incident" || until === undefined) return undefined;
  return hrefWith(address, { from: withoutMilliseconds(at), to: withoutMilliseconds(until) });
}

interface MarkLinkProps {
  readonly mark: RiskMark;
  readonly href: string | undefined;
  readonly words: string;
  readonly children: ReactNode;
}

function MarkLink({ mark, href, words, children }: MarkLinkProps) {
  const look = { title: words, "aria-label": words };
  if (href === undefined)
    return (
      <span role="img" {...look}>
        {children}
      </span>
    );
  // Where a pipeline says more is another site.
  if (mark.kind === "deploy")
    return (
      <a href={below(href)} rel="noreferrer" data-plain {...look}>
        {children}
      </a>
    );
  return (
    <Link href={href} scroll={mark.kind !== "incident"} data-plain {...look}>
      {children}
    </Link>
  );
}
