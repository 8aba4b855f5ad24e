import { RowsTable } from "@/components/table/rows-table";
import { None } from "@/components/table/columns";
import { Section } from "@/components/ui/section";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { COLUMN_KINDS, columnLabel, sourceState } from "@/presentation/sources/source-words";
import type { SourceColumn, SourceRowView, SourceValue, SourceViewName } from "@/presentation/views/sources";
import styles from "./sources.module.css";

/** Glyph and word of a state, and below it what the library calls it. */
export function SourceState({ view, state, raw }: { view: SourceViewName; state: string; raw?: SourceValue }) {
  const { glyph, word, tone } = sourceState(view, state);
  return (
    <span className={styles["lines"]}>
      <StateTag name={glyph} tone={tone}>
        {word}
      </StateTag>
      {raw?.kind === "text" && <small className="quiet">{raw.text}</small>}
    </span>
  );
}

interface ValueProps {
  readonly value: SourceValue;
  readonly now: string;
  readonly form?: "day" | "exact";
  /** In a list: a long text ends after three lines, and is in its title. */
  readonly short?: boolean;
}

/** A value of a row; a row that has none in a column that is stored says so. */
export function Value({ value, now, form = "day", short = false }: ValueProps) {
  if (value === undefined) return <None />;
  if (value.kind === "time") return <Time at={value.at} now={now} form={form} />;
  return (
    <span
      className={`${styles["text"] ?? ""} ${short ? (styles["value"] ?? "") : ""}`}
      title={short ? value.text : undefined}
    >
      {value.text}
      {value.cut && "…"}
    </span>
  );
}

/** The first line of a long text, and all that was read of it in its title. */
export function FirstLine({ value }: { readonly value: SourceValue }) {
  if (value?.kind !== "text") return <None />;
  const [line = ""] = value.text.split("\n");
  return (
    <span className={styles["error"]} title={value.text}>
      {line.slice(0, LINE)}
      {(line.length > LINE || line.length < value.text.length || value.cut) && "…"}
    </span>
  );
}

const LINE = 160;

/** What each column of a list is worth. Those that are not stored are here, and are no empty columns of the list. */
export function SourceColumns({
  columns,
  title,
}: {
  readonly columns: readonly SourceColumn[];
  readonly title: string;
}) {
  const told = columns.filter(({ kind }) => kind !== "stored");
  const stored = columns.filter(({ kind }) => kind === "stored").map(({ name }) => columnLabel(name));
  return (
    <Section title={title} note={stored.length === 0 ? "none is stored as such" : `stored: ${stored.join(", ")}`}>
      <RowsTable
        label={title}
        rowId={({ name }) => name}
        empty={<p className="note">Every column is stored.</p>}
        rows={told}
        columns={{
          Column: { cell: ({ name }) => columnLabel(name) },
          Shown: {
            cell: ({ kind }) => (
              <span className={kind === "not_stored" ? "quiet nowrap" : "nowrap"}>{COLUMN_KINDS[kind]}</span>
            ),
          },
          "How, or why not": { phone: "full", wrap: true, cell: ({ says }) => <span className="soft">{says}</span> },
        }}
      />
    </Section>
  );
}

/** Whether a list has this column at all: what is not stored is said once, and is no column. */
export function hasColumn(columns: readonly SourceColumn[], name: string): boolean {
  return columns.some((column) => column.name === name && column.kind !== "not_stored");
}

/** A row in few words, for its dialog. */
export function rowEvidence(view: SourceViewName, row: SourceRowView, columns: readonly SourceColumn[]): string {
  const told = ["type", "key", "destination", "consumer", "attempts"].flatMap((name) => {
    const value = hasColumn(columns, name) ? row.values[name] : undefined;
    return value?.kind === "text" ? [`${columnLabel(name).toLowerCase()} ${value.text}`] : [];
  });
  return [row.id, sourceState(view, row.state).word.toLowerCase(), ...told].join(", ");
}
