import { Glyph } from "@/components/ui/values/glyph";
import { formatCount } from "@/presentation/format/display-time";
import { REQUEUE_VERDICTS, VERDICT_WORDS } from "@/domain/messages/requeue-verdict";
import { VERDICT_FACES } from "@/presentation/message/safe-to-act";
import type { VerdictCounts } from "@/presentation/views/dead-letters";
import styles from "./dead-letters.module.css";

/** "✓ 120 safe, ? 5 operation unknown": what may be requeued now, and what stands against the rest. */
export function VerdictCountsLine({
  counts,
  of,
}: {
  readonly counts: VerdictCounts;
  /** When only so many of the newest were judged. */
  readonly of?: number | undefined;
}) {
  const parts = REQUEUE_VERDICTS.flatMap((verdict) => {
    const count = counts[verdict] ?? 0;
    return count === 0 ? [] : [{ verdict, count, ...VERDICT_FACES[verdict] }];
  });
  if (parts.length === 0) return <span className="quiet">none is open</span>;
  return (
    <span className={styles["verdicts"]}>
      {parts.map(({ verdict, count, glyph, tone }) => (
        <span key={verdict}>
          <Glyph name={glyph} tone={tone} size={12} /> <b>{formatCount(count)}</b>{" "}
          {VERDICT_WORDS[verdict].toLowerCase()}
        </span>
      ))}
      {of !== undefined && <span className="quiet">of the newest {formatCount(of)}</span>}
    </span>
  );
}
