import Link from "next/link";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { EmptyState } from "@/components/feedback/notice";
import { SettingsTabs } from "@/components/settings/settings-tabs";
import { SimpleTable } from "@/components/table/simple-table";
import { DialogLink } from "@/components/ui/place-link";
import { PageHead } from "@/components/ui/page-head";
import { Row } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { Verdict, type ClauseProps } from "@/components/ui/verdict";
import { formatCount } from "@/presentation/format/display-time";
import type { EventSourcesView } from "@/presentation/views/event-sources";
import type { WebhookEndpointView, WebhooksView as View } from "@/presentation/views/webhooks";
import { plural } from "@/presentation/format/words";
import { EventSources } from "./event-sources";
import { EndpointDialogs } from "./endpoint-dialogs";
import styles from "./webhooks.module.css";

const HERE = "/settings/webhooks";

/** Where a tenant wants its events, how that goes, and everything that can be done about it. */
export function WebhooksView({ view, sources }: { readonly view: View; readonly sources: EventSourcesView }) {
  const { endpoints, limit, whyNot } = view;
  const full = endpoints.length >= limit ? `A tenant has at most ${String(limit)} endpoints.` : undefined;
  const off = whyNot ?? full;
  return (
    <DoneKeeper>
      <PageHead
        crumb={<Link href="/settings">Settings</Link>}
        lede="Each event is sent to every endpoint that wants its type, signed as Standard Webhooks want it, and again under the same webhook-id until the endpoint says yes. Receivers that keep the ids they saw act once."
        aside={
          off === undefined ? (
            <DialogLink primary dialog="create">
              Add an endpoint
            </DialogLink>
          ) : (
            <span className="small quiet">{off}</span>
          )
        }
      >
        <Verdict clauses={clauses(endpoints)} />
      </PageHead>
      <SettingsTabs here={HERE} />
      <DoneLine />
      <Section title="Endpoints" note={`${String(endpoints.length)} of ${String(limit)}`} space="small">
        {endpoints.length === 0 ? (
          <EmptyState
            title="No endpoint is told of anything."
            text="Events are kept and posted here all the same. An endpoint is told of what happens after it was added."
          />
        ) : (
          <Endpoints view={view} />
        )}
      </Section>
      <EndpointDialogs view={view} />
      <EventSources view={sources} />
    </DoneKeeper>
  );
}

function clauses(endpoints: readonly WebhookEndpointView[]): ClauseProps[] {
  const dead = endpoints.reduce((sum, one) => sum + one.dead, 0);
  const waiting = endpoints.reduce((sum, one) => sum + one.waiting, 0);
  const disabled = endpoints.filter((one) => one.disabled !== undefined).length;
  if (endpoints.length === 0) return [{ text: "No webhook endpoint." }];
  return [
    { text: `${plural(endpoints.length, "webhook endpoint")}.` },
    ...(disabled > 0 ? [{ text: `${String(disabled)} disabled.`, tone: "doubt" as const }] : []),
    waiting === 0
      ? { text: "Nothing waits." }
      : {
          text: `${waits(waiting)}.`,
          ...(endpoints.some(({ lastError }) => lastError !== undefined) && { tone: "doubt" as const }),
        },
    ...(dead > 0 ? [{ text: `${formatCount(dead)} dead.`, tone: "broken" as const }] : []),
  ];
}

function waits(count: number): string {
  return count === 1 ? "1 message waits" : `${formatCount(count)} messages wait`;
}

function Endpoints({ view: { endpoints, at, whyNot } }: { readonly view: View }) {
  return (
    <SimpleTable
      label="Webhook endpoints"
      columns={[
        { id: "endpoint", header: "Endpoint", phone: "left", wrap: true },
        { id: "types", header: "Is told of", phone: "full", wrap: true },
        { id: "last", header: "Last delivery", align: "right", phone: "right" },
        { id: "day", header: "24 hours", align: "right", phone: "full" },
        { id: "waiting", header: "Waiting", align: "right", phone: "full" },
        { id: "act", header: "Actions", align: "right", phone: "full" },
      ]}
      rows={endpoints.map((one) => ({
        id: one.id,
        cells: {
          endpoint: <Endpoint one={one} at={at} />,
          types: one.types.length === 0 ? "everything" : one.types.join(", "),
          last:
            one.lastDeliveryAt === undefined ? (
              <span className="small quiet">none yet</span>
            ) : (
              <Time at={one.lastDeliveryAt} now={at} form="ago" />
            ),
          day: <Day one={one} />,
          waiting: <Waiting one={one} />,
          act: whyNot === undefined ? <Acts one={one} /> : null,
        },
      }))}
    />
  );
}

function Endpoint({ one, at }: { readonly one: WebhookEndpointView; readonly at: string }) {
  const { disabled, description, secrets } = one;
  const ending = secrets.find(({ expiresAt }) => expiresAt !== undefined)?.expiresAt;
  return (
    <div className={styles["endpoint"]}>
      <b title={one.url}>{one.url}</b>
      {description !== "" && <small>{description}</small>}
      {disabled !== undefined && (
        <small className="doubt">
          Disabled <Time at={disabled.at} now={at} form="ago" />
          {disabled.by === undefined ? "" : ` by ${disabled.by}`}
          {disabled.reason === undefined ? "." : `: ${disabled.reason}`}
        </small>
      )}
      {ending !== undefined && (
        <small>
          {String(secrets.length)} secrets are valid; the older ends <Time at={ending} now={at} form="ago" />.
        </small>
      )}
    </div>
  );
}

function Day({ one: { day } }: { readonly one: WebhookEndpointView }) {
  return (
    <span className={styles["lines"]}>
      <span>{formatCount(day.delivered)} delivered</span>
      <span className={day.failed > 0 ? "doubt" : "small quiet"}>{formatCount(day.failed)} failed</span>
    </span>
  );
}

function Waiting({ one }: { readonly one: WebhookEndpointView }) {
  const { waiting, dead, lastError } = one;
  return (
    <span className={styles["lines"]}>
      <Link href={`/outbox?topic=${encodeURIComponent(one.topic)}`} className={lastError && "doubt"} title={lastError}>
        {formatCount(waiting)} waiting
      </Link>
      {dead > 0 && (
        <Link href={`/dead-letters?place=${encodeURIComponent(one.topic)}`} className="broken">
          {formatCount(dead)} dead
        </Link>
      )}
      {lastError !== undefined && <span className={`small quiet ${styles["error"]}`}>{lastError}</span>}
    </span>
  );
}

function Acts({ one: { id, disabled } }: { readonly one: WebhookEndpointView }) {
  const link = (what: string, label: string) => (
    <DialogLink small dialog={`${what}:${id}`}>
      {label}
    </DialogLink>
  );
  return (
    <Row end>
      {link("change", "Change")}
      {link("rotate", "Rotate secret")}
      {disabled === undefined ? link("disable", "Disable") : link("enable", "Enable")}
      {link("delete", "Delete")}
    </Row>
  );
}
