import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { EmptyState } from "@/components/feedback/notice";
import { SectionTable } from "@/components/table/rows-table";
import { Offer } from "@/components/ui/offer";
import { PageHead } from "@/components/ui/page-head";
import { Time } from "@/components/ui/values/time";
import { cutName } from "@/presentation/format/cut-middle";
import { formatCount } from "@/presentation/format/display-time";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { ClientListRow, ClientsView as View } from "@/presentation/views/clients";
import { clientsLede } from "@/presentation/client/client-verdict";
import { plural } from "@/presentation/format/words";
import { CreateClientDialog } from "./client-dialogs";
import { ClientRangeTabs, RolledUp } from "./client-range";
import { Fault, reuseTail, reuseText, shareText, SmallVerdict } from "./report-words";
import styles from "./clients.module.css";

interface ClientsViewProps {
  readonly view: View;
  readonly address: PageAddress;
}

/** One row per client, the worst of those that were read first: who reuses keys, who sends none, who comes back too fast. */
export function ClientsView({ view, address }: ClientsViewProps) {
  const { range, whyNot } = view;
  return (
    <DoneKeeper>
      <PageHead
        verdict={view.verdict.clauses}
        lede={
          <>
            {clientsLede(view)} A conflict never runs.{" "}
            <Link href="/metrics/clients" className="nowrap">
              Clients by time
            </Link>
          </>
        }
        aside={
          <>
            <Offer primary dialog="create" notOffered={whyNot}>
              Add a client
            </Offer>
            {whyNot !== undefined && <span className="small quiet">{whyNot}</span>}
          </>
        }
      />
      <DoneLine />
      <ClientRangeTabs current={range} address={address} />
      <Cards view={view} address={address} />
      <CreateClientDialog choices={view.choices} notOffered={whyNot} />
    </DoneKeeper>
  );
}

function Cards({ view: { rows, cut, at, rolledUpMs }, address }: ClientsViewProps) {
  const count = (cell: (row: ClientListRow) => ReactNode) => ({ align: "right", phone: "hidden", cell }) as const;
  const hrefOf = (client: string): string =>
    hrefWith({ path: `/clients/${encodeURIComponent(client)}`, search: address.search }, { dialog: undefined });
  return (
    <SectionTable
      title="Report cards"
      note={cut ? `${formatCount(rows.length)} clients, not all` : plural(rows.length, "client")}
      right={<RolledUp at={at} ageMs={rolledUpMs} />}
      space="small"
      empty={
        <EmptyState
          title="No client is kept here, and no request was counted in this time."
          text="Add a client and create a key for it."
        />
      }
      rows={rows}
      rowId={({ client }) => client}
      columns={{
        Client: {
          wrap: true,
          cell: ({ client, verdict }) => (
            <span className={styles["who"]}>
              <Link href={hrefOf(client)} title={client}>
                {cutName(client)}
              </Link>
              <SmallVerdict verdict={verdict} />
            </span>
          ),
        },
        Requests: {
          align: "right",
          cell: (row) => (
            <Two second={`${formatCount(row.executed)} executed`}>
              {formatCount(row.requests)}
              <span className="phone-only"> {row.requests === 1 ? "request" : "requests"}</span>
            </Two>
          ),
        },
        Replayed: count((row) => <Two second={shareText(row.replayRate)}>{formatCount(row.replayed)}</Two>),
        Conflicts: count((row) => (
          <Two second={shareText(row.conflictRate)}>
            <Fault count={row.conflicts} tone="conflict" />
          </Two>
        )),
        "In flight": count((row) => formatCount(row.inFlight)),
        Expired: count((row) => <Fault count={row.expired} />),
        "No key": count((row) => (
          <Two second={`${formatCount(row.badKey)} unusable`}>
            <Fault count={row.noKey} />
          </Two>
        )),
        "Too fast": count((row) => <Two second={`of ${formatCount(row.again)}`}>{formatCount(row.fast)}</Two>),
        "Retried after": count((row) => <CameAgain row={row} />),
        "Last used": count(({ lastUsedAt, registered, liveKeys }) => (
          <Two second={registered ? plural(liveKeys, "key") : "not kept here"}>
            {lastUsedAt === undefined ? (
              <span className="quiet">never</span>
            ) : (
              <Time at={lastUsedAt} now={at} form="ago" />
            )}
          </Two>
        )),
      }}
    >
      {rows.length > 0 && <Rules />}
    </SectionTable>
  );
}

function CameAgain({ row }: { readonly row: ClientListRow }) {
  return (
    <span className={styles["two"]}>
      <span>{reuseText(row)}</span>
      {reuseTail(row).map((line) => (
        <small key={line}>{line}</small>
      ))}
    </span>
  );
}

function Two({ children, second }: { readonly children: ReactNode; readonly second: string }) {
  return (
    <span className={styles["two"]}>
      <span>{children}</span>
      {second !== "" && <small>{second}</small>}
    </span>
  );
}

const RULES = [
  "Replayed and conflicts are shares of all answers.",
  "No key and unusable keys are refused before anything runs.",
  "Too fast: less than 100 ms after the request before it of the same client and key.",
  "The published schedule waits at least 100 ms.",
  "How long after its first request a key came again is read from powers of two.",
  "A whole hour is counted once it is over; the hour that runs, minute by minute.",
];

function Rules() {
  return <p className={styles["rule"]}>{RULES.join(" ")}</p>;
}
