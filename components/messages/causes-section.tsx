import { Link } from "@/components/ui/link";
import type { CSSProperties } from "react";
import { Glyph } from "@/components/ui/values/glyph";
import { Id } from "@/components/ui/values/id";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import type { CauseRow } from "@/presentation/views/messages";
import styles from "./messages.module.css";

export function CausesSection({ causes, now }: { readonly causes: readonly CauseRow[]; readonly now: string }) {
  if (causes.length === 0) return null;
  return (
    <Section title="Cause and effects" note="each line under what caused it">
      <ol className={styles["tree"]} aria-label="Cause and effects">
        {causes.map((row) => (
          <Line key={row.id} row={row} now={now} />
        ))}
      </ol>
    </Section>
  );
}

function Line({ row, now }: { readonly row: CauseRow; readonly now: string }) {
  const style: CSSProperties & Record<"--depth", number> = { "--depth": row.depth };
  const gap = row.gap === true ? (row.tone === "broken" ? "broken" : "doubt") : undefined;
  return (
    <li
      style={style}
      data-depth={row.depth === 0 ? undefined : row.depth}
      data-here={row.here === true ? true : undefined}
      data-gap={gap}
      data-off={gap === undefined && row.glyph === "empty" ? true : undefined}
      aria-current={row.here === true ? "true" : undefined}
    >
      <span className={styles["line"]}>
        <Glyph name={row.glyph} {...(row.tone === undefined ? {} : { tone: row.tone })} />
        {row.href === undefined || row.here === true ? <b>{row.what}</b> : <Link href={row.href}>{row.what}</Link>}
        <span>{row.fact}</span>
        {row.ref !== undefined && <Id value={row.ref} plain />}
      </span>
      <span className={styles["end"]}>
        {row.here === true && "this message · "}
        {row.at !== undefined && <Time at={row.at} now={now} form="millis" />}
      </span>
    </li>
  );
}
