import { Link } from "@/components/ui/link";
import { Sparklines } from "@/components/charts/sparklines";
import type { SparklineSeries } from "@/components/charts/types";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { Offer } from "@/components/ui/offer";
import { CopyText } from "@/components/ui/values/copy-text";
import { DataList } from "@/components/ui/data-list";
import { PageHead } from "@/components/ui/page-head";
import { Section, TwoColumns } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { isOpenKey, keyLimit } from "@/presentation/client/client-key-claims";
import { RANGE_WORDS } from "@/presentation/client/client-verdict";
import { formatCount, formatDuration } from "@/presentation/format/display-time";
import { hrefWith, pageParam, type PageAddress } from "@/presentation/list/page-address";
import type { ClientDetail, ClientKeyView, ClientSeries } from "@/presentation/views/clients";
import { ClientDialogs } from "./client-dialogs";
import { ClientMisuse } from "./client-misuse";
import { ClientRangeTabs, RolledUp } from "./client-range";
import { reuseText, shareText } from "./report-words";
import { Row } from "@/components/ui/row";
import { SectionTable } from "@/components/table/rows-table";
import { Id } from "@/components/ui/values/id";
import styles from "./clients.module.css";

export interface ClientViewProps {
  readonly detail: ClientDetail;
  readonly address: PageAddress;
}

export function ClientView({ detail, address }: ClientViewProps) {
  const { report, client, whyNot, range } = detail;
  return (
    <DoneKeeper>
      <PageHead
        verdict={[{ text: `${report.client}.` }, ...report.verdict.clauses]}
        crumb={
          <>
            <Link href={hrefWith({ path: "/clients", search: {} }, { range: range === "24h" ? undefined : range })}>
              Clients
            </Link>{" "}
            · <span>{report.client}</span>
          </>
        }
        crumbRight={<CopyText text={detail.message}>Copy report</CopyText>}
        aside={
          client && (
            <Offer dialog="change" notOffered={whyNot}>
              Change
            </Offer>
          )
        }
        lede={
          client === undefined ? "No client of this name is kept here: it is known from its requests alone." : undefined
        }
      />
      <DoneLine />
      <ClientRangeTabs current={range} address={address} />
      <TwoColumns side={<Side detail={detail} />}>
        <Charts detail={detail} address={address} />
        <ClientMisuse detail={detail} />
      </TwoColumns>
      {client !== undefined && <ClientKeys detail={detail} />}
      <ClientDialogs detail={detail} />
    </DoneKeeper>
  );
}

type ScannedNote = Pick<SparklineSeries, "draw" | "color" | "glyph" | "label">;
const LOOKS: Readonly<Record<ClientSeries["name"], ScannedNote>> = {
  executed: { draw: "bars", color: "executed", glyph: "executed", label: "Created" },
  replayed: { draw: "outline", color: "replayed", glyph: "replayed", label: "Replayed" },
  in_progress: { draw: "bars", color: "in-progress", glyph: "in_progress", label: "In flight" },
  conflict: { draw: "bars", color: "conflict", glyph: "conflict", label: "Conflicts" },
  expired_retry: { draw: "bars", color: "expired", glyph: "expired_retry", label: "Expired retries" },
  fast: { draw: "outline", color: "unknown", label: "Too fast" },
  no_key: { draw: "bars", color: "broken", label: "No usable key" },
};

function Charts({ detail, address }: ClientViewProps) {
  const { range, bucketHours, at } = detail;
  const asTable = pageParam(address, "table") === "true";
  return (
    <Section
      title={`Last ${RANGE_WORDS[range]}`}
      note={`per ${bucketHours === 1 ? "hour" : `${String(bucketHours)} hours`}, each strip on its own scale`}
      space="small"
      right={
        <RolledUp
          at={at}
          ageMs={detail.rolledUpMs}
          table={{ on: asTable, href: hrefWith(address, { table: asTable ? undefined : "true" }) }}
        />
      }
    >
      <Sparklines
        label={`${detail.report.client}, last ${RANGE_WORDS[range]}`}
        times={detail.buckets}
        series={detail.series.map((one) => drawn(one))}
        nowLabel={bucketHours === 1 ? "this hour" : `newest ${String(bucketHours)} h`}
        totalLabel={RANGE_WORDS[range]}
        asTable={asTable}
      />
    </Section>
  );
}

function drawn({ name, values, total }: ClientSeries): SparklineSeries {
  return { id: name, ...LOOKS[name], values, now: formatCount(values.at(-1) ?? 0), total: formatCount(total) };
}

function Side({ detail }: { readonly detail: ClientDetail }) {
  const { report, client, at, range } = detail;
  return (
    <>
      <Section title="Report card" note={RANGE_WORDS[range]} space="small">
        <DataList
          right
          items={[
            { name: "Requests", value: formatCount(report.requests) },
            { name: "Created", value: formatCount(report.executed) },
            { name: "Replayed", value: withShare(report.replayed, report.replayRate) },
            { name: "Conflicts", value: withShare(report.conflicts, report.conflictRate) },
            { name: "In flight, 409", value: formatCount(report.inFlight) },
            { name: "Expired retries", value: formatCount(report.expired) },
            { name: "No key", value: formatCount(report.noKey) },
            { name: "Unusable key", value: formatCount(report.badKey) },
            { name: "Invalid", value: formatCount(report.invalid) },
            { name: "Retried", value: `${formatCount(report.again)} requests` },
            { name: "Again after", value: reuseText(report) },
            report.reuse && { name: "p95", value: `about ${formatDuration(report.reuse.p95Ms)}` },
            report.reuse && { name: "At the latest", value: formatDuration(report.reuse.maxMs) },
            { name: "After the window", value: formatCount(report.afterWindow) },
            { name: "Too fast", value: formatCount(report.fast) },
          ]}
        />
      </Section>
      {client !== undefined && (
        <Section title="Client">
          <DataList
            narrow
            right
            items={[
              { name: "Contact", value: client.contact ?? <span className="quiet">nobody yet</span> },
              { name: "Default scopes", value: client.scopes.join(", ") },
              { name: "Errors as", value: client.profile },
              { name: "Since", value: <Time at={client.createdAt} now={at} form="day" /> },
              { name: "Last hour", value: `${formatCount(detail.lastHour)} requests` },
            ]}
          />
        </Section>
      )}
    </>
  );
}

function withShare(count: number, share: number | undefined): string {
  return share === undefined ? formatCount(count) : `${formatCount(count)}, ${shareText(share)}`;
}

function ClientKeys({ detail }: { readonly detail: ClientDetail }) {
  const { keys, whyNot, choices, at } = detail;
  const open = keys.filter(isOpenKey).length;
  const off = whyNot ?? keyLimit({ client: detail.report.client, keys, maxLiveKeys: choices.maxLiveKeys });
  return (
    <SectionTable
      id="keys"
      title="Keys"
      note={`${String(open)} open`}
      right={
        <Row>
          {off !== undefined && <span className="small quiet">{off}</span>}
          <Offer small dialog="key" notOffered={off}>
            Create a key
          </Offer>
        </Row>
      }
      empty={<p className={styles["rule"]}>No key yet: nobody can call the API as this client.</p>}
      rows={keys}
      columns={{
        Key: {
          cell: (one) => (
            <span className={styles["key"]} data-off={isOver(one) || undefined}>
              <Id value={one.id} />
            </span>
          ),
        },
        Opens: {
          phone: "full",
          wrap: true,
          cell: (one) => (
            <span className={styles["key"]} data-off={isOver(one) || undefined}>
              <span>{one.scopes.join(", ")}</span>
              <small>errors as {one.profile}</small>
            </span>
          ),
        },
        Made: {
          phone: "hidden",
          cell: ({ createdAt, createdBy }) => (
            <span className={styles["key"]}>
              <Time at={createdAt} now={at} form="day" />
              <small>{createdBy ?? "on the command line"}</small>
            </span>
          ),
        },
        "Last used": {
          align: "right",
          cell: ({ lastUsedAt }) =>
            lastUsedAt === undefined ? (
              <span className="quiet">never used</span>
            ) : (
              <Time at={lastUsedAt} now={at} form="ago" />
            ),
        },
        Expires: { align: "right", phone: "full", cell: (one) => <Ends one={one} at={at} /> },
        Actions: { align: "right", phone: "full", cell: (one) => <Acts one={one} whyNot={whyNot} /> },
      }}
    />
  );
}

function isOver({ state }: ClientKeyView): boolean {
  return state === "revoked" || state === "ended";
}

function Acts({ one, whyNot }: { readonly one: ClientKeyView; readonly whyNot: string | undefined }) {
  if (isOver(one)) return null;
  return (
    <Row end>
      <Offer small dialog={`rotate:${one.id}`} notOffered={whyNot}>
        Rotate
      </Offer>
      <Offer small dialog={`revoke:${one.id}`} notOffered={whyNot}>
        Revoke
      </Offer>
    </Row>
  );
}

function Ends({ one, at }: { readonly one: ClientKeyView; readonly at: string }) {
  if (one.revokedAt !== undefined) {
    return (
      <span className="quiet">
        revoked <Time at={one.revokedAt} now={at} form="ago" />
        {one.revokedBy === undefined ? "" : ` by ${one.revokedBy}`}
      </span>
    );
  }
  if (one.expiresAt === undefined) return <span className="quiet">no end</span>;
  return (
    <span className={one.state === "ending" ? "bold doubt" : "quiet"}>
      {one.state === "ending" ? "ends" : "ended"} <Time at={one.expiresAt} now={at} form="ago" />
    </span>
  );
}
