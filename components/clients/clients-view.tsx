import Link from "next/link";
import type { ReactNode } from "react";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { EmptyState } from "@/components/feedback/notice";
import { SimpleTable } from "@/components/table/simple-table";
import { Offer } from "@/components/ui/offer";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { Verdict } from "@/components/ui/verdict";
import { toVerdictClauses } from "@/components/ui/verdict-clauses";
import { formatCount } from "@/presentation/format/display-time";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { ClientListRow, ClientsView as View } from "@/presentation/views/clients";
import { plural } from "@/presentation/format/words";
import { CreateClientDialog } from "./client-dialogs";
import { ClientRangeTabs, RolledUp } from "./client-range";
import { Fault, reuseTail, reuseText, shareText, SmallVerdict } from "./report-words";
import styles from "./clients.module.css";

interface ClientsViewProps {
  readonly view: View;
  readonly address: PageAddress;
}

/** One row per client, worst first: who reuses keys, who sends none, who comes back too fast. */
export function ClientsView({ view, address }: ClientsViewProps) {
  const { rows, at, range, whyNot } = view;
  return (
    <DoneKeeper>
      <PageHead
        lede="How each program with an API key uses its idempotency keys, worst first. A conflict never runs; what is listed here costs the client answers, not money."
        aside={
          <>
            <Offer primary dialog="create" notOffered={whyNot}>
              Add a client
            </Offer>
            {whyNot !== undefined && <span className="small quiet">{whyNot}</span>}
          </>
        }
      >
        <Verdict clauses={toVerdictClauses(view.verdict)} />
      </PageHead>
      <DoneLine />
      <ClientRangeTabs current={range} address={address} />
      <Section
        title="Report cards"
        note={plural(rows.length, "client")}
        right={<RolledUp at={at} ageMs={view.rolledUpMs} />}
        space="small"
      >
        {rows.length === 0 ? (
          <EmptyState
            title="No program has called yet."
            text="Add a client, make a key for it, and its report card begins with its first request."
          />
        ) : (
          <Cards view={view} address={address} />
        )}
        <Rules />
      </Section>
      <CreateClientDialog choices={view.choices} notOffered={whyNot} />
    </DoneKeeper>
  );
}

function Cards({ view: { rows, at }, address }: ClientsViewProps) {
  return (
    <SimpleTable
      label="Report cards"
      columns={[
        { id: "client", header: "Client", phone: "left", wrap: true },
        { id: "requests", header: "Requests", align: "right", phone: "right" },
        { id: "replayed", header: "Replayed", align: "right", phone: "hidden" },
        { id: "conflicts", header: "Conflicts", align: "right", phone: "hidden" },
        { id: "flight", header: "In flight", align: "right", phone: "hidden" },
        { id: "expired", header: "Expired", align: "right", phone: "hidden" },
        { id: "noKey", header: "No key", align: "right", phone: "hidden" },
        { id: "fast", header: "Too fast", align: "right", phone: "hidden" },
        { id: "again", header: "Came again after", align: "right", phone: "hidden" },
        { id: "used", header: "Last used", align: "right", phone: "hidden" },
      ]}
      rows={rows.map((row) => ({ id: row.client, cells: cells(row, at, address) }))}
    />
  );
}

function cells(row: ClientListRow, at: string, address: PageAddress) {
  const href = hrefWith(
    { path: `/clients/${encodeURIComponent(row.client)}`, search: address.search },
    { dialog: undefined },
  );
  return {
    client: (
      <span className={styles["who"]}>
        <Link href={href}>{row.client}</Link>
        <SmallVerdict verdict={row.verdict} />
      </span>
    ),
    requests: (
      <Two
        first={
          <>
            {formatCount(row.requests)}
            <span className="phone-only"> {row.requests === 1 ? "request" : "requests"}</span>
          </>
        }
        second={`${formatCount(row.executed)} executed`}
      />
    ),
    replayed: <Two first={formatCount(row.replayed)} second={shareText(row.replayRate)} />,
    conflicts: <Two first={<Fault count={row.conflicts} tone="conflict" />} second={shareText(row.conflictRate)} />,
    flight: formatCount(row.inFlight),
    expired: <Fault count={row.expired} />,
    noKey: <Two first={<Fault count={row.noKey} />} second={`${formatCount(row.badKey)} unusable`} />,
    fast: <Two first={formatCount(row.fast)} second={`of ${formatCount(row.again)}`} />,
    again: (
      <span className={styles["two"]}>
        <span>{reuseText(row)}</span>
        {reuseTail(row).map((line) => (
          <small key={line}>{line}</small>
        ))}
      </span>
    ),
    used: (
      <Two
        first={
          row.lastUsedAt === undefined ? (
            <span className="quiet">never</span>
          ) : (
            <Time at={row.lastUsedAt} now={at} form="ago" />
          )
        }
        second={row.registered ? plural(row.liveKeys, "key") : "not kept here"}
      />
    ),
  };
}

function Two({ first, second }: { readonly first: ReactNode; readonly second: string }) {
  return (
    <span className={styles["two"]}>
      <span>{first}</span>
      {second !== "" && <small>{second}</small>}
    </span>
  );
}

function Rules() {
  return (
    <p className={styles["rule"]}>
      Replayed and conflicts are shares of what was told. No key and unusable keys are refused before anything is
      recorded. Too fast: less than 100 ms after the request before it of the same key; the published schedule waits 100
      ms at first, doubled up to 2 s with full jitter, so nobody who follows it is counted. How long after its first
      request a key came again is read from powers of two. A whole hour is counted once it is over; the hour that runs,
      minute by minute.
    </p>
  );
}
