import { Link } from "@/components/ui/link";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { EmptyState } from "@/components/feedback/notice";
import { SettingsHead } from "@/components/settings/settings-head";
import { SectionTable } from "@/components/table/rows-table";
import { DialogLink } from "@/components/ui/place-link";
import { Row } from "@/components/ui/row";
import { Time } from "@/components/ui/values/time";
import { conditionLabel } from "@/presentation/alerts/alert-message";
import {
  ALERTS_RULE,
  alertsVerdict,
  destinationLimit,
  kindLabel,
  ruleWords,
} from "@/presentation/alerts/alerts-verdict";
import { waitingCount } from "@/presentation/format/waiting-count";
import { formatCount } from "@/presentation/format/display-time";
import type {
  AlertDestinationView,
  AlertsView as View,
  EndedAlertView,
  OpenAlertView,
} from "@/presentation/views/alerts";
import { AlertDialogs } from "./alert-dialogs";
import styles from "./alerts.module.css";

/** What a tenant is told, where, and what is so now. */
export function AlertsView({ view }: { readonly view: View }) {
  const off = view.whyNot ?? destinationLimit(view);
  return (
    <DoneKeeper>
      <SettingsHead
        here="/settings/alerts"
        clauses={alertsVerdict(view)}
        lede={ALERTS_RULE}
        aside={
          off === undefined ? (
            <DialogLink primary dialog="create">
              Add a destination
            </DialogLink>
          ) : (
            <span className="small quiet">{off}</span>
          )
        }
      />
      <DoneLine />
      <Open view={view} />
      <Destinations view={view} />
      <Rules view={view} />
      <Ended view={view} />
      <AlertDialogs view={view} />
    </DoneKeeper>
  );
}

function Title({ one }: { readonly one: OpenAlertView | EndedAlertView }) {
  return (
    <div className={styles["what"]}>
      <Link href={one.href}>{one.title}</Link>
      <small className="quiet">{conditionLabel(one.condition)}</small>
    </div>
  );
}

function Open({ view: { open, at } }: { readonly view: View }) {
  if (open.length === 0) return null;
  return (
    <SectionTable
      title="Open"
      note={formatCount(open.length)}
      space="small"
      label="Open alerts"
      rows={open}
      columns={{
        Alert: { phone: "full", wrap: true, cell: (one) => <Title one={one} /> },
        Since: { align: "right", phone: "left", cell: (one) => <Time at={one.since} now={at} form="ago" /> },
        "Last sent": { align: "right", cell: (one) => <Time at={one.toldAt} now={at} form="ago" /> },
        Now: {
          align: "right",
          cell: ({ clearSince }) =>
            clearSince === undefined ? (
              <span className="broken">at its limit</span>
            ) : (
              <span className="doubt">
                below since <Time at={clearSince} now={at} form="ago" />
              </span>
            ),
        },
      }}
    />
  );
}

function Destinations({ view: { destinations, limit, at, whyNot } }: { readonly view: View }) {
  return (
    <SectionTable
      title="Destinations"
      note={`${String(destinations.length)} of ${String(limit)}`}
      space="small"
      label="Destinations of alerts"
      empty={
        <EmptyState
          title="No destination receives alerts."
          text="Alerts are kept and shown here all the same. A destination that is added receives what is open and at its limit, and what opens, grows or ends from then on."
        />
      }
      rows={destinations}
      columns={{
        Destination: {
          phone: "full",
          wrap: true,
          cell: ({ name, shown }) => (
            <div className={styles["what"]}>
              <span>{name}</span>
              <small className={styles["shown"]}>{shown}</small>
            </div>
          ),
        },
        Kind: { phone: "left", cell: ({ kind }) => kindLabel(kind) },
        Added: { align: "right", phone: "right", cell: (one) => <Time at={one.createdAt} now={at} form="ago" /> },
        Waiting: { align: "right", phone: "right", cell: (one) => <Waiting one={one} /> },
        // Who may not act has no column for it.
        Actions: whyNot === undefined && { align: "right", phone: "full", cell: (one) => <Acts one={one} /> },
      }}
    />
  );
}

function Waiting({ one: { waiting, dead, lastError, topic } }: { readonly one: AlertDestinationView }) {
  return (
    <span className={styles["lines"]}>
      <Link href={`/outbox?topic=${encodeURIComponent(topic)}`} className={lastError && "doubt"}>
        {waitingCount({ waiting })} waiting
      </Link>
      {dead > 0 && (
        <Link href={`/dead-letters?place=${encodeURIComponent(topic)}`} className="broken">
          {formatCount(dead)} dead
        </Link>
      )}
      {lastError !== undefined && <span className="small quiet">{lastError}</span>}
    </span>
  );
}

function Acts({ one: { id } }: { readonly one: AlertDestinationView }) {
  return (
    <Row end>
      <DialogLink small dialog={`test:${id}`}>
        Send a test
      </DialogLink>
      <DialogLink small dialog={`delete:${id}`}>
        Delete
      </DialogLink>
    </Row>
  );
}

function Rules({ view: { rules, at, whyNot } }: { readonly view: View }) {
  return (
    <SectionTable
      title="Rules"
      note="what is alerted in this tenant"
      space="small"
      rows={rules}
      rowId={({ condition }) => condition}
      columns={{
        Condition: { phone: "left", cell: ({ condition }) => conditionLabel(condition) },
        Alert: {
          phone: "full",
          wrap: true,
          cell: (rule) => <span className={rule.enabled ? undefined : "quiet"}>{ruleWords(rule)}</span>,
        },
        Changed: {
          align: "right",
          phone: "right",
          cell: ({ isDefault, updatedAt, updatedBy }) =>
            isDefault || updatedAt === undefined ? (
              <span className="small quiet">default</span>
            ) : (
              <span>
                <Time at={updatedAt} now={at} form="ago" /> by {updatedBy}
              </span>
            ),
        },
        Actions: whyNot === undefined && {
          align: "right",
          phone: "full",
          cell: ({ condition }) => (
            <Row end>
              <DialogLink small dialog={`rule:${condition}`}>
                Change
              </DialogLink>
            </Row>
          ),
        },
      }}
    />
  );
}

function Ended({ view: { ended, at } }: { readonly view: View }) {
  if (ended.length === 0) return null;
  return (
    <SectionTable
      title="Ended"
      note={`the newest ${formatCount(ended.length)}`}
      space="small"
      label="Ended alerts"
      rows={ended}
      columns={{
        Alert: { phone: "full", wrap: true, cell: (one) => <Title one={one} /> },
        Since: { align: "right", phone: "left", cell: (one) => <Time at={one.since} now={at} form="day" /> },
        Ended: { align: "right", cell: (one) => <Time at={one.endedAt} now={at} form="day" /> },
        As: {
          align: "right",
          cell: ({ endedAs }) => (endedAs === "resolved" ? "resolved" : <span className="doubt">rule turned off</span>),
        },
      }}
    />
  );
}
