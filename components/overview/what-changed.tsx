import { RowsTable } from "@/components/table/rows-table";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Glyph } from "@/components/ui/values/glyph";
import type { GlyphName } from "@/presentation/format/glyph";
import type { ChangeRow, ChangesView } from "@/presentation/views/risk";
import styles from "./risk.module.css";

const GLYPHS: Readonly<Partial<Record<ChangeRow["name"], GlyphName>>> = {
  unknown: "unknown",
  in_progress: "in_progress",
  conflict: "conflict",
  expired_retry: "expired_retry",
  replayed: "replayed",
  executed: "executed",
};

/** At most three measures that are away from their usual, and what is as usual. It names what coincides, never a cause. */
export function WhatChanged({ changes }: { readonly changes: ChangesView }) {
  return (
    <Section
      title="What changed"
      note={changes.note}
      space="small"
      right={<Link href={changes.href}>all {changes.measures} measures</Link>}
    >
      {changes.rows.length > 0 && (
        <div className={styles["changes"]}>
          <RowsTable
            label="What changed"
            rows={changes.rows}
            rowId={(row) => row.name}
            columns={{
              Measure: { phone: "left", cell: (row) => <Measure row={row} /> },
              Window: { align: "right", phone: "right", cell: (row) => <b className={styles["value"]}>{row.value}</b> },
              Usual: { align: "right", phone: "hidden", cell: (row) => <span className="quiet">{row.usual}</span> },
              "Where it comes from": {
                phone: "full",
                wrap: true,
                cell: (row) => (
                  <>
                    {row.from}
                    <span className={styles["onPhone"]}> Usual {row.usual}.</span>
                  </>
                ),
              },
              Open: {
                align: "right",
                phone: "hidden",
                cell: (row) => (
                  <Link href={row.href} aria-label={`${row.label}: ${row.list}`}>
                    {row.open}
                  </Link>
                ),
              },
            }}
          />
        </div>
      )}
      <p className={styles["rest"]}>{changes.rest.join(" ")}</p>
    </Section>
  );
}

function Measure({ row }: { readonly row: ChangeRow }) {
  const glyph = GLYPHS[row.name];
  return (
    <span className="inline">
      {glyph === undefined ? <span className={styles["noGlyph"]} /> : <Glyph name={glyph} />}
      {row.label}
    </span>
  );
}
