import { EmptyState, Notice } from "@/components/feedback/notice";
import { SectionTable, type RowColumn } from "@/components/table/rows-table";
import { Link } from "@/components/ui/link";
import { StateTag } from "@/components/ui/values/state-tag";
import { plural } from "@/presentation/format/words";
import type { PageAddress } from "@/presentation/list/page-address";
import { FLIGHT_COLUMNS, flightLede, flightVerdict, flying, STANDINGS } from "@/presentation/sources/flight-claims";
import { columnLabel, LISTED, SOURCE_PAGES, sourceHref } from "@/presentation/sources/source-words";
import type { SourceFlightList, SourceFlightRow, SourceFlightView as View } from "@/presentation/views/sources";
import { hasColumn, SourceColumns, Value } from "./source-cells";
import { SourceFrame } from "./source-frame";
import styles from "./sources.module.css";

interface SourceFlightProps {
  readonly view: View;
  readonly address: PageAddress;
}

/** What an attached database works on now, and what of it is stale, the oldest first. */
export function SourceFlightView({ view, address }: SourceFlightProps) {
  return (
    <SourceFrame source={view.source} address={address} clauses={flightVerdict(view)} lede={flightLede(view)}>
      {view.lists.map((list) => (
        <FlightList key={list.view} view={view} list={list} />
      ))}
    </SourceFrame>
  );
}

function FlightList({ view, list }: { readonly view: View; readonly list: SourceFlightList }) {
  const { label, row } = SOURCE_PAGES[list.view];
  const { page } = list;
  const title = `${label}: in flight`;
  const means = list.states.find(({ state }) => state === "in_progress")?.says;
  const columns = list.columns.filter(({ name }) => FLIGHT_COLUMNS.includes(name));
  return (
    <>
      {page.kind === "not_shown" ? (
        <Notice tone="doubt" title={`${label}: not shown`} text={page.because} />
      ) : (
        <SectionTable
          title={title}
          note={means}
          space="small"
          rows={page.rows}
          empty={<EmptyState title="No row is in progress." text={means} />}
          columns={columnsOf(view, list)}
        >
          {page.rows.length < flying(list) && (
            <p className="note">
              The oldest {String(page.rows.length)} of {plural(flying(list), row)}.{" "}
              <Link href={`${sourceHref(view.source.name, SOURCE_PAGES[list.view].path)}?state=in_progress`}>
                List all of them
              </Link>
            </p>
          )}
        </SectionTable>
      )}
      <SourceColumns columns={columns} title={`${label}: how that is known`} />
    </>
  );
}

function columnsOf(view: View, list: SourceFlightList): Readonly<Record<string, RowColumn<SourceFlightRow>>> {
  const cells = FLIGHT_COLUMNS.filter((name) => hasColumn(list.columns, name)).map(
    (name): readonly [string, RowColumn<SourceFlightRow>] => [
      columnLabel(name),
      {
        align: "right",
        phone: "full",
        labelled: true,
        cell: ({ values }) => <Value value={values[name]} now={view.at} />,
      },
    ],
  );
  return {
    Standing: { phone: "left", cell: ({ standing }) => <Standing of={standing} /> },
    [SOURCE_PAGES[list.view].row === "key" ? "Key" : "Message"]: {
      phone: "full",
      wrap: true,
      cell: (row) => <What view={view} list={list} row={row} />,
    },
    ...Object.fromEntries(cells),
  };
}

function Standing({ of }: { readonly of: SourceFlightRow["standing"] }) {
  const { glyph, word, tone } = STANDINGS[of];
  return (
    <StateTag name={glyph} tone={tone}>
      {word}
    </StateTag>
  );
}

function What({ view, list, row }: { readonly view: View; readonly list: SourceFlightList; row: SourceFlightRow }) {
  const named = row.values[LISTED[list.view].what];
  return (
    <div className={styles["what"]}>
      <Link href={`${sourceHref(view.source.name, SOURCE_PAGES[list.view].path)}?open=${row.place}`}>
        {named?.kind === "text" ? named.text : row.id}
      </Link>
      <small className={`quiet ${styles["mono"] ?? ""}`}>{row.id}</small>
    </div>
  );
}
