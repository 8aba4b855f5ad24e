import { SectionTable } from "@/components/table/rows-table";
import { Section } from "@/components/ui/section";
import { Glyph } from "@/components/ui/values/glyph";
import { Notice } from "@/components/feedback/notice";
import { attachedState, factName, LIST_NAMES, previewCell, WORTH } from "@/presentation/attachments/attached-words";
import { factCounts } from "@/presentation/attachments/look-verdict";
import type { ChosenListView, ChosenView, PreviewRowView } from "@/presentation/views/attachments";
import styles from "./setup.module.css";

/** What each list can show, its ten newest rows, and what may be done. */
export function WhatCanBeShown({ chosen }: { readonly chosen: ChosenView }) {
  return (
    <>
      {chosen.lists.map((list) => (
        <Facts key={list.list} list={list} />
      ))}
      {chosen.lists.map((list) => (
        <Preview key={list.list} list={list} />
      ))}
      <Acts chosen={chosen} />
    </>
  );
}

function Facts({ list: { list, facts } }: { readonly list: ChosenListView }) {
  return (
    <SectionTable
      title={`What can be shown: ${LIST_NAMES[list]}`}
      note={factCounts(facts)}
      space="small"
      rows={facts}
      rowId={({ name }) => name}
      columns={{
        Fact: { phone: "left", cell: ({ name }) => factName(name) },
        Shown: {
          phone: "right",
          cell: ({ kind }) => (
            <span className={styles["worth"]} data-kind={kind}>
              <Glyph name={WORTH[kind].glyph} size={14} tone={kind === "stored" ? "proven" : "quiet"} />
              {WORTH[kind].word}
            </span>
          ),
        },
        "From, or why not": {
          phone: "full",
          wrap: true,
          cell: ({ says }) => <span className={styles["says"]}>{says ?? "As the table has it."}</span>,
        },
      }}
    />
  );
}

function Preview({ list: { list, preview } }: { readonly list: ChosenListView }) {
  const title = `Preview: ${LIST_NAMES[list]}`;
  if (!preview.shown)
    return (
      <Section title={title} space="small">
        <Notice title="No rows are shown." text={preview.because} />
      </Section>
    );
  const columns = preview.columns.map((name, at) => [factName(name), at] as const);
  return (
    <SectionTable
      title={title}
      note="the first rows of the list, at most ten; no payload is read"
      space="small"
      rows={preview.rows}
      rowId={(_, index) => String(index)}
      empty={<Notice title="This list has no row now." />}
      columns={{
        State: {
          phone: "left",
          cell: ({ state }: PreviewRowView) => {
            const { word, glyph } = attachedState(list, state);
            return (
              <span className={styles["worth"]}>
                <Glyph name={glyph} size={14} />
                {word}
              </span>
            );
          },
        },
        ...Object.fromEntries(
          columns.map(([name, at]) => [
            name,
            {
              phone: at === 0 ? ("right" as const) : ("full" as const),
              cell: ({ values }: PreviewRowView) => <Value name={name} value={values[at] ?? null} />,
            },
          ]),
        ),
      }}
    />
  );
}

/** Where a row is a record there is no head above a value. */
function Value({ name, value }: { readonly name: string; readonly value: string | null }) {
  if (value === null) return null;
  return (
    <span className={styles["cell"]}>
      <small>{name} </small>
      {previewCell(value)}
    </span>
  );
}

const ACT_NAMES = { requeue: "Requeue", discard: "Discard", purge: "Purge" } as const;

function Acts({ chosen: { acts, notes } }: { readonly chosen: ChosenView }) {
  return (
    <Section title="What may be done" note="by guarded functions of the owner's, where step 3 is run" space="small">
      <ul className={styles["checks"]}>
        {acts.map(({ act, offered, says }) => (
          <li key={act}>
            <Glyph name={offered ? "proven" : "skipped"} size={14} tone={offered ? "proven" : "quiet"} />
            <div>
              <b>{`${ACT_NAMES[act]}: ${offered ? "offered" : "not offered"}`}</b>
              {says !== undefined && <span>{says}</span>}
            </div>
          </li>
        ))}
      </ul>
      {notes.length > 0 && (
        <ul className={styles["notes"]}>
          {notes.map((note) => (
            <li key={note} className="note">
              {note}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
