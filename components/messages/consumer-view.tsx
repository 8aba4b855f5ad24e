import { Link } from "@/components/ui/link";
import { InboxList } from "@/components/inbox/inbox-list";
import { SectionTable } from "@/components/table/rows-table";
import { DataList } from "@/components/ui/data-list";
import { ExportLink } from "@/components/ui/export-link";
import { PageHead } from "@/components/ui/page-head";
import { Section, TwoColumns } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { cutName } from "@/presentation/format/cut-middle";
import { formatCount } from "@/presentation/format/display-time";
import { waitingCount } from "@/presentation/format/waiting-count";
import type { PageAddress } from "@/presentation/list/page-address";
import type { ConsumerView as View } from "@/presentation/views/place-pages";
import { PlaceCharts } from "./place-charts";
import { PlaceErrors } from "./place-errors";
import { Count } from "./place-table";
import { WaitingLongest } from "./waiting-longest";
import styles from "./messages.module.css";

export interface ConsumerViewProps {
  readonly consumer: View;
  readonly address: PageAddress;
  readonly whyNot?: string | undefined;
}

export function ConsumerView({ consumer, address, whyNot }: ConsumerViewProps) {
  const { row, at, chart } = consumer;
  return (
    <>
      <PageHead
        crumb={
          <>
            <Link href="/inbox">Inbox</Link> · <Link href="/consumers">Consumers</Link>
          </>
        }
        lede="What a consumer writes commits together with the mark that the message was handled. Only one that calls another system is marked afterwards, and may call again."
        aside={
          <ExportLink name="consumer-inbox" filters={{ consumer: row.place, range: chart.range }}>
            CSV of arrivals
          </ExportLink>
        }
        verdict={consumer.verdict.clauses}
      />
      <TwoColumns side={<Facts consumer={consumer} />}>
        <PlaceCharts side="inbox" label={row.label} chart={chart} now={at} address={address} />
        <PlaceErrors side="inbox" place={row.place} errors={consumer.errors} now={at} />
        <Types consumer={consumer} />
      </TwoColumns>
      <WaitingLongest detail={consumer} whyNot={whyNot}>
        <InboxList still rows={consumer.waiting} now={at} address={address} whyNot={whyNot} />
      </WaitingLongest>
    </>
  );
}

function Types({ consumer }: { readonly consumer: View }) {
  const { types, lookedAt, at } = consumer;
  return (
    <SectionTable
      title="Arrivals"
      note={`among the newest ${formatCount(lookedAt)} arrivals of the tenant`}
      label="Arrivals of this consumer"
      empty={<p className={styles["counts"]}>None among these.</p>}
      rows={types}
      rowId={(row) => `${row.type} ${row.source}`}
      columns={{
        Type: {
          phone: "full",
          wrap: true,
          cell: (row) => (
            <>
              {row.type} <small title={row.source}>from {cutName(row.source)}</small>
            </>
          ),
        },
        Received: { align: "right", phone: "left", cell: (row) => <Count value={row.count} unit="received" /> },
        Duplicates: { align: "right", phone: "hidden", cell: (row) => <Few value={row.duplicates} /> },
        "Payload changed": { align: "right", phone: "hidden", cell: (row) => <Few value={row.mismatches} /> },
        Superseded: { align: "right", phone: "hidden", cell: (row) => <Few value={row.superseded} /> },
        Last: { align: "right", phone: "right", cell: (row) => <Time at={row.lastAt} now={at} form="ago" /> },
      }}
    />
  );
}

function Few({ value }: { readonly value: number }) {
  return <span className={value === 0 ? "quiet" : undefined}>{formatCount(value)}</span>;
}

function Facts({ consumer }: { readonly consumer: View }) {
  const { row, types } = consumer;
  const sum = (part: "superseded" | "ignored" | "duplicates"): string =>
    formatCount(types.reduce((total, type) => total + type[part], 0));
  return (
    <Section title="Facts">
      <DataList
        narrow
        right
        items={[
          { name: "Consumer", value: row.place },
          { name: "Waiting", value: waitingCount(row) },
          { name: "Handled alone", value: waitingCount({ waiting: row.alone, sampled: row.sampled }) },
          { name: "Superseded", value: sum("superseded") },
          { name: "Ignored", value: sum("ignored") },
          { name: "Duplicates", value: sum("duplicates") },
        ]}
      />
      <p className={styles["why"]}>
        Alone: it shares no transaction, because it or one handled with it did not work at the first try, its kind is
        mostly slow, or its consumer calls another system. Superseded: this version of the same thing, or a newer one,
        was handled before, so it changes nothing.
      </p>
    </Section>
  );
}
