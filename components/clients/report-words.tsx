import { formatCount, formatDuration } from "@/presentation/format/display-time";
import type { ClientReport } from "@/presentation/views/clients";
import type { VerdictView } from "@/presentation/views/common";
import styles from "./clients.module.css";

/** "5.3 %", "0 %", "under 0.1 %". @param share 0–1; undefined without any request */
export function shareText(share: number | undefined): string {
  if (share === undefined) return "none";
  if (share === 0) return "0 %";
  return share < 0.001 ? "under 0.1 %" : `${(share * 100).toFixed(1)} %`;
}

/** A verdict in a cell: what is wrong is underlined. */
export function SmallVerdict({ verdict }: { readonly verdict: VerdictView }) {
  return (
    <span className={styles["verdict"]}>
      {verdict.clauses.map(({ text, tone }, index) => (
        <span key={text}>
          {index > 0 && " "}
          <span data-tone={tone === "fine" ? undefined : tone}>{text}</span>
        </span>
      ))}
    </span>
  );
}

/** A count: grey when it is none, in its tone when it should be none. */
export function Fault({ count, tone = "doubt" }: { readonly count: number; readonly tone?: "doubt" | "conflict" }) {
  return <span className={count === 0 ? "quiet" : `bold ${tone}`}>{formatCount(count)}</span>;
}

/** How long after its first request a key comes again. */
export function reuseText({ reuse }: Pick<ClientReport, "reuse">): string {
  return reuse === undefined ? "never" : `about ${formatDuration(reuse.medianMs)}`;
}

/** How late the rest is, a line each. */
export function reuseTail({ reuse, afterWindow }: Pick<ClientReport, "reuse" | "afterWindow">): readonly string[] {
  return [
    ...(reuse === undefined ? [] : [`p95 ${formatDuration(reuse.p95Ms)}`, `max ${formatDuration(reuse.maxMs)}`]),
    ...(afterWindow === 0 ? [] : [`${formatCount(afterWindow)} too late`]),
  ];
}
