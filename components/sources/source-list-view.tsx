import { EmptyState, Notice } from "@/components/feedback/notice";
import { ListProblems } from "@/components/outbox/list-problems";
import { RowsTable, SectionTable, type RowColumn } from "@/components/table/rows-table";
import { Pager, pageLinks } from "@/components/table/pager";
import { Link } from "@/components/ui/link";
import type { FilterProblem } from "@/presentation/filters/search";
import { filterHref, hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { errorGroups } from "@/presentation/sources/error-groups";
import { sourceLede, sourceListVerdict } from "@/presentation/sources/source-claims";
import { columnLabel, LISTED, SOURCE_PAGES, sourceState } from "@/presentation/sources/source-words";
import { isWatched } from "@/presentation/sources/watched";
import type { SourceListView as View, SourceRowView } from "@/presentation/views/sources";
import { FirstLine, hasColumn, SourceColumns, SourceState, Value } from "./source-cells";
import { SourceDialogs } from "./source-dialogs";
import { SourceFrame } from "./source-frame";
import { GroupPlans, SourcePlans } from "./source-plans";
import { SourceNewer } from "./source-newer";
import { SourceTools, type SourceListFacts } from "./source-tools";
import { OpenedRow, RowActs } from "./opened-row";
import styles from "./sources.module.css";

interface ListAt {
  readonly view: View;
  readonly address: PageAddress;
}

interface SourceListProps extends ListAt {
  readonly facts: SourceListFacts;
  readonly problems?: readonly FilterProblem[] | undefined;
}

/** One list of an attached database: what its tables have, and nothing that they do not. */
export function SourceListView({ view, address, facts, problems = [] }: SourceListProps) {
  const { page, source, opened } = view;
  return (
    <SourceFrame source={source} address={address} clauses={sourceListVerdict(view)} lede={sourceLede(view)}>
      <div className={styles["above"]}>
        <StateFilter view={view} address={address} />
        <SourceTools source={source} view={view.view} facts={facts} address={address} />
      </div>
      <ListProblems problems={problems} />
      {opened !== undefined && <OpenedRow view={view} opened={opened} address={address} />}
      {page.kind === "not_shown" ? (
        <Notice tone="doubt" title="Not shown" text={page.because} />
      ) : (
        <>
          {view.view === "dead" && <ErrorGroups view={view} rows={page.rows} />}
          {view.view === "dead" && page.rows.length > 0 && <SourcePlans view={view} />}
          <SourceNewer
            row={SOURCE_PAGES[view.view].row}
            watched={isWatched(view)}
            readAt={view.at}
            again={hrefWith(address, { dialog: undefined })}
          />
          <Rows view={view} rows={page.rows} address={address} />
          <Pager
            note="In the order of the library's own index, the newest first, 50 a page"
            {...pageLinks(address, page)}
          />
        </>
      )}
      <SourceColumns columns={view.columns} title="Columns of this list" />
      <SourceDialogs view={view} />
    </SourceFrame>
  );
}

function StateFilter({ view: { view, states, state, whyNoFilter }, address }: ListAt) {
  if (whyNoFilter !== undefined)
    return (
      <p className={`note ${styles["filter"] ?? ""}`}>Rows of one state are not listed by themselves. {whyNoFilter}</p>
    );
  const known = [...states.map((each) => each.state), "unknown"];
  return (
    <nav className={styles["filter"]} aria-label="State">
      {[undefined, ...new Set(known)].map((each) => (
        <Link
          key={each ?? "all"}
          href={filterHref(address, { state: each })}
          aria-current={each === state ? "true" : undefined}
          title={states.find((known) => known.state === each)?.says}
        >
          {each === undefined ? "All states" : sourceState(view, each).word}
        </Link>
      ))}
    </nav>
  );
}

type ListColumns = Readonly<Record<string, RowColumn<SourceRowView>>>;

const columnsOf = (parts: readonly ListColumns[]): ListColumns => Object.fromEntries(parts.flatMap(Object.entries));

function Rows({ view, rows, address }: ListAt & { readonly rows: readonly SourceRowView[] }) {
  const { columns, source } = view;
  const listed = LISTED[view.view];
  const has = (name: string): boolean => hasColumn(columns, name);
  const plain = (name: string, more: Partial<RowColumn<SourceRowView>> = {}): ListColumns =>
    has(name)
      ? {
          [columnLabel(name)]: {
            phone: "full",
            labelled: true,
            ...more,
            cell: (row: SourceRowView) => <Value value={row.values[name]} now={view.at} short />,
          },
        }
      : {};
  const where = listed.where.map((name) => plain(name, { wide: name === "order_key", wrap: true }));
  const times = listed.times.map((name) => plain(name, { align: "right" }));
  const error = ["last_error", "error_message"].find(has);
  const acts = view.view === "dead" && (source.acts.requeue.offered || source.acts.discard.offered);
  return (
    <RowsTable
      label={`${SOURCE_PAGES[view.view].label} of ${source.name}`}
      rows={rows}
      empty={
        <EmptyState
          title="No row."
          text="Whatever is written there from now on is shown when this page is read again."
        />
      }
      columns={{
        State: {
          phone: "left",
          cell: ({ state, values }) => (
            <SourceState view={view.view} state={state} raw={has("raw_state") ? values["raw_state"] : undefined} />
          ),
        },
        [SOURCE_PAGES[view.view].row === "key" ? "Key" : "Message"]: {
          phone: "full",
          wrap: true,
          cell: (row) => <What view={view} row={row} address={address} />,
        },
        ...columnsOf(where),
        ...plain("attempts", { align: "right" }),
        ...columnsOf(times),
        ...(error !== undefined && {
          Error: {
            phone: "full" as const,
            wrap: true,
            cell: ({ values }: SourceRowView) => <FirstLine value={values[error]} />,
          },
        }),
        Actions: acts && { align: "right", phone: "full", cell: (row) => <RowActs source={source} row={row} /> },
      }}
    />
  );
}

function What({ view, row, address }: ListAt & { readonly row: SourceRowView }) {
  const { what, note } = LISTED[view.view];
  const named = row.values[what];
  const notes = note.flatMap((name) => {
    const value = row.values[name];
    return value?.kind === "text" && value.text !== row.id ? [value.text] : [];
  });
  return (
    <div className={styles["what"]}>
      <Link
        href={hrefWith(address, { open: row.place, dialog: undefined })}
        scroll={false}
        title={named?.kind === "text" ? named.text : row.id}
      >
        {named?.kind === "text" ? named.text : row.id}
      </Link>
      <small className={`quiet ${styles["mono"] ?? ""}`}>{[row.id, ...notes].join(" · ")}</small>
    </div>
  );
}

/** Of the rows that were read: to count all would read the whole table. */
function ErrorGroups({ view, rows }: { readonly view: View; readonly rows: readonly SourceRowView[] }) {
  const groups = errorGroups(rows, view.columns);
  if (groups === undefined || groups.length === 0) return null;
  const { source } = view;
  const planned = source.acts.requeue.offered || source.acts.discard.offered;
  return (
    <SectionTable
      title="Errors"
      note={`of the ${String(rows.length)} rows shown, not of all`}
      space="small"
      rows={groups}
      rowId={({ error }) => error ?? "none"}
      columns={{
        Error: {
          phone: "full",
          wrap: true,
          cell: ({ error, goesOn }) =>
            error === undefined ? (
              <span className="quiet">none stored in the row</span>
            ) : (
              `${error}${goesOn ? "…" : ""}`
            ),
        },
        Rows: { align: "right", phone: "full", labelled: true, cell: (group) => String(group.rows) },
        Plan: planned && {
          align: "right",
          phone: "full",
          cell: (group) => group.error !== undefined && <GroupPlans source={source} group={groups.indexOf(group)} />,
        },
      }}
    />
  );
}
