import { Link } from "@/components/ui/link";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { EmptyState } from "@/components/feedback/notice";
import { SettingsHead } from "@/components/settings/settings-head";
import { SectionTable } from "@/components/table/rows-table";
import { DialogLink } from "@/components/ui/place-link";
import { Row } from "@/components/ui/row";
import { Time } from "@/components/ui/values/time";
import { fitLabel } from "@/presentation/format/cut-middle";
import { formatCount } from "@/presentation/format/display-time";
import type { EventSourceSecretView, EventSourcesView } from "@/presentation/views/event-sources";
import type { WebhookEndpointView, WebhooksView as View } from "@/presentation/views/webhooks";
import { endpointLimit } from "@/presentation/message/endpoint-claims";
import { downWords, endpointsVerdict, isDown, secretsWords } from "@/presentation/message/endpoints-verdict";
import { EndpointDialogs, EventSourceDialogs } from "./webhook-dialogs";
import { Offer } from "@/components/ui/offer";
import { Id } from "@/components/ui/values/id";
import styles from "./webhooks.module.css";
import { waitingCount } from "@/presentation/format/waiting-count";

/** Where a tenant wants its events, how that goes, and everything that can be done about it. */
export function WebhooksView({ view, sources }: { readonly view: View; readonly sources: EventSourcesView }) {
  const { endpoints, limit, whyNot } = view;
  const off = whyNot ?? endpointLimit({ count: endpoints.length, limit });
  return (
    <DoneKeeper>
      <SettingsHead
        here="/settings/webhooks"
        clauses={endpointsVerdict(endpoints)}
        lede="Each event of ours that our inbox handles is sent to every enabled endpoint that subscribes to its type, signed as Standard Webhooks requires. What is not answered with 2xx is sent again under the same webhook-id: 12 attempts over three days, none counted while the endpoint is down. 410 disables it. Receivers should keep the ids that they saw, to act once."
        aside={
          off === undefined ? (
            <DialogLink primary dialog="create">
              Add an endpoint
            </DialogLink>
          ) : (
            <span className="small quiet">{off}</span>
          )
        }
      />
      <DoneLine />
      <Endpoints view={view} />
      <EndpointDialogs view={view} />
      <EventSources view={sources} />
    </DoneKeeper>
  );
}

function Endpoints({ view: { endpoints, limit, at, whyNot } }: { readonly view: View }) {
  return (
    <SectionTable
      title="Endpoints"
      note={`${String(endpoints.length)} of ${String(limit)}`}
      space="small"
      label="Webhook endpoints"
      empty={
        <EmptyState
          title="No endpoint receives events."
          text="Events are kept and handled here all the same. An endpoint receives what our inbox handles after it was added."
        />
      }
      rows={endpoints}
      columns={{
        Endpoint: { phone: "full", wrap: true, cell: (one) => <Endpoint one={one} at={at} /> },
        Events: {
          phone: "left",
          wrap: true,
          cell: ({ types }) => (types.length === 0 ? "everything" : types.join(", ")),
        },
        "Last delivery": {
          align: "right",
          cell: ({ lastDeliveryAt }) =>
            lastDeliveryAt === undefined ? (
              <span className="small quiet">none on record</span>
            ) : (
              <Time at={lastDeliveryAt} now={at} form="ago" />
            ),
        },
        "24 hours": { align: "right", phone: "left", cell: (one) => <Day one={one} /> },
        Waiting: { align: "right", phone: "right", cell: (one) => <Waiting one={one} /> },
        // Who may not act has no column for it.
        Actions: whyNot === undefined && { align: "right", phone: "full", cell: (one) => <Acts one={one} /> },
      }}
    />
  );
}

/** Letters of an address that stand in one line beside all columns. */
const ADDRESS = 40;

function Endpoint({ one, at }: { readonly one: WebhookEndpointView; readonly at: string }) {
  const { disabled, description } = one;
  const secrets = secretsWords(one, at);
  return (
    <div className={styles["endpoint"]}>
      <b title={one.url}>{fitLabel(one.url, ADDRESS)}</b>
      {description !== "" && <small>{description}</small>}
      {disabled !== undefined && (
        <small className="doubt">
          Disabled <Time at={disabled.at} now={at} form="ago" />
          {disabled.by === undefined ? "" : ` by ${disabled.by}`}
          {disabled.reason === undefined ? "." : `: ${disabled.reason}`}
        </small>
      )}
      {isDown(one) && one.down !== undefined && (
        <small className="doubt">
          Down since <Time at={one.down.since} now={at} form="day" />: {downWords(one, at)}
        </small>
      )}
      {secrets !== undefined && <small>{secrets}</small>}
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
        {waitingCount({ waiting })} waiting
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

function Acts({ one }: { readonly one: WebhookEndpointView }) {
  const { id, disabled } = one;
  const link = (what: string, label: string) => (
    <DialogLink small dialog={`${what}:${id}`}>
      {label}
    </DialogLink>
  );
  return (
    <Row end>
      {isDown(one) && link("test", "Test now")}
      {link("change", "Change")}
      {link("rotate", "Rotate secret")}
      {disabled === undefined ? link("disable", "Disable") : link("enable", "Enable")}
      {link("delete", "Delete")}
    </Row>
  );
}

/** Who may send signed events here, and the secrets that hold now; a secret is shown where it is made and nowhere else. */
export function EventSources({ view }: { readonly view: EventSourcesView }) {
  const { secrets, at, whyNot } = view;
  return (
    <>
      <SectionTable
        id="sources"
        title="Event sources"
        note="whose signed events the inbox accepts"
        right={
          <Row>
            {whyNot !== undefined && <span className="small quiet">{whyNot}</span>}
            <Offer small dialog="source" notOffered={whyNot}>
              Add a secret
            </Offer>
          </Row>
        }
        empty={
          <p className="small quiet">
            No source has a secret of its own. Events of the source provider are checked with the secret of the
            deployment.
          </p>
        }
        rows={secrets}
        rowId={({ source, secretId }) => `${source} ${secretId}`}
        columns={{
          Source: { cell: ({ source }) => source },
          Secret: { phone: "full", cell: ({ secretId }) => <Id value={secretId} plain /> },
          Since: {
            align: "right",
            phone: "hidden",
            cell: ({ createdAt }) => <Time at={createdAt} now={at} form="day" />,
          },
          "Valid until": { align: "right", cell: (one) => <Until one={one} at={at} /> },
          Actions: {
            align: "right",
            phone: "full",
            cell: (one) =>
              one.ended ? null : (
                <Row end>
                  <Offer small dialog={`expire:${one.source}/${one.secretId}`} notOffered={one.whyNotExpire ?? whyNot}>
                    End it now
                  </Offer>
                </Row>
              ),
          },
        }}
      />
      <EventSourceDialogs view={view} />
    </>
  );
}

function Until({ one, at }: { readonly one: EventSourceSecretView; readonly at: string }) {
  if (one.expiresAt === undefined) return <span className="small quiet">no end</span>;
  return (
    <span className={one.ended ? "small quiet" : "doubt"}>
      {one.ended ? "ended" : "ends"} <Time at={one.expiresAt} now={at} form="ago" />
    </span>
  );
}
