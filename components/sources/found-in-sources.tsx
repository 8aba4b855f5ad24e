import { RowsTable } from "@/components/table/rows-table";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { sourceFoundWords } from "@/presentation/sources/source-claims";
import { SOURCE_PAGES } from "@/presentation/sources/source-words";
import type { SourceHits } from "@/presentation/views/sources";
import { SourceState } from "./source-cells";
import styles from "./sources.module.css";

/** Rows of attached databases of exactly this id or key, and what could not be asked. */
export function FoundInSources({ query, found }: { readonly query: string; readonly found: SourceHits }) {
  return (
    <Section title="In attached databases">
      {found.hits.length > 0 && (
        <RowsTable
          label="Found in attached databases"
          rows={found.hits}
          rowId={({ href }) => href}
          columns={{
            Row: {
              phone: "full",
              wrap: true,
              cell: ({ label, href }) => (
                <div className={styles["what"]}>
                  <Link href={href}>{label}</Link>
                </div>
              ),
            },
            State: { phone: "left", cell: ({ view, state }) => <SourceState view={view} state={state} /> },
            Source: { cell: ({ source }) => source },
            List: { cell: ({ view }) => SOURCE_PAGES[view].label },
          }}
        />
      )}
      {sourceFoundWords({ ...found, query }).map((words) => (
        <Note key={words}>{words}</Note>
      ))}
      {found.left.map(({ source, because }) => (
        <Note key={`${source} ${because}`}>
          {source}: {because}
        </Note>
      ))}
    </Section>
  );
}
