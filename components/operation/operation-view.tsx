import { Link } from "@/components/ui/link";
import { Chain } from "@/components/chain/chain";
import { Timeline } from "@/components/chain/timeline";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { FollowPage } from "@/components/shell/live-provider";
import { Section, TwoColumns } from "@/components/ui/section";
import { referenceHref } from "@/presentation/filters/references";
import { hrefWith, pageParam, type PageAddress } from "@/presentation/list/page-address";
import type { KeyCallersView } from "@/presentation/views/clients";
import type { OperationDetail } from "@/presentation/views/operations";
import { plural } from "@/presentation/format/words";
import { AmountBlock, PageHead } from "@/components/ui/page-head";
import { StateTag } from "@/components/ui/values/state-tag";
import { Money } from "@/components/ui/values/money";
import { Time } from "@/components/ui/values/time";
import { retriesText } from "@/presentation/operation/retries-text";
import { Id } from "@/components/ui/values/id";
import type { ActionName } from "@/presentation/views/common";
import { DataList } from "@/components/ui/data-list";
import { DialogLink } from "@/components/ui/place-link";
import { EvidenceBox } from "./evidence-box";
import { MessagesSection } from "./messages-section";
import { OperationDialogs } from "./operation-dialogs";
import { ProviderSection } from "./provider-section";
import { AuditSection, CommandSection, EventsSection, RawSection } from "./record-sections";
import { RequestsSection } from "./requests-section";
import { ServiceRequestsSection } from "./service-requests-section";
import styles from "./operation.module.css";

export interface OperationViewProps {
  readonly operation: OperationDetail;
  readonly address: PageAddress;
  /** Who used its key of late, where its answer may be taken away. */
  readonly callers?: KeyCallersView | undefined;
}

/** One operation from key to ledger: what happened, what is known, what may be done about it. */
export function OperationView({ operation, address, callers }: OperationViewProps) {
  const open = pageParam(address, "open");
  const events = open === "events";
  const raw = open === "raw";
  return (
    <DoneKeeper key={operation.operationId}>
      <FollowPage page={`operations/${operation.operationId}`} since={operation.at} refresh="always" />
      <OperationHead operation={operation} />
      <Section title="Chain" note="key to ledger" space="none">
        <Chain stations={operation.chain.stations} gap={operation.chain.gap} />
      </Section>
      <Section
        quiet
        title="What happened when"
        note={operation.lanes.stretches.length === 2 ? "the axis breaks once" : undefined}
        space="small"
        right={
          <>
            <Link href={hrefWith(address, { open: events ? undefined : "events" })} scroll={false}>
              {events ? "hide the events" : plural(operation.eventsTotal, "event")}
            </Link>
            {" · "}
            <Link href={hrefWith(address, { open: raw ? undefined : "raw" })} scroll={false}>
              {raw ? "hide the raw record" : "raw"}
            </Link>
          </>
        }
      >
        <Timeline {...operation.lanes} />
      </Section>
      {events && <EventsSection operation={operation} />}
      {raw && <RawSection operation={operation} />}
      <DoneLine />
      <EvidenceBox operation={operation} />
      <TwoColumns side={<OperationSide operation={operation} />}>
        <div className={styles["stacked"]}>
          <ServiceRequestsSection operation={operation} />
          <RequestsSection operation={operation} />
          <CommandSection operation={operation} />
          <AuditSection operation={operation} />
          <MessagesSection operation={operation} />
          <ProviderSection operation={operation} />
        </div>
      </TwoColumns>
      <OperationDialogs operation={operation} callers={callers} />
    </DoneKeeper>
  );
}

function OperationHead({ operation }: { readonly operation: OperationDetail }) {
  const { at, money, state } = operation;
  const open = state === "UNKNOWN_REQUIRES_RECOVERY" || state === "STALE";
  return (
    <PageHead
      crumb={
        <>
          <Link href={open ? "/attention" : "/operations"}>{open ? "Unknown and stale" : "Operations"}</Link> ·{" "}
          <span>{operation.kind}</span>
        </>
      }
      lede={<Lede operation={operation} />}
      aside={
        <AmountBlock
          tag={<StateTag name={state} />}
          amount={money === undefined ? operation.kind : <Money minor={money.minor} currency={money.currency} />}
          note={
            <>
              started <Time at={operation.createdAt} now={at} form="ago" />,{" "}
              <Time at={operation.createdAt} now={at} form="clock" />
            </>
          }
        />
      }
      verdict={operation.verdict.clauses}
    />
  );
}

function Lede({ operation }: { readonly operation: OperationDetail }) {
  const expired = Date.parse(operation.expiresAt) <= Date.parse(operation.at);
  return (
    <>
      {operation.route} by <b>{operation.client}</b>
      {operation.account !== undefined && (
        <>
          {" "}
          for account <Id value={operation.account} plain strong />
        </>
      )}
      {operation.reference !== undefined && (
        <>
          , reference{" "}
          {operation.leaves.money === "takes" ? (
            <Link href={referenceHref(operation.reference)}>
              <Id value={operation.reference} plain strong />
            </Link>
          ) : (
            <Id value={operation.reference} plain strong />
          )}
        </>
      )}
      . Key {expired ? "was open until" : "is open until"}{" "}
      <Time at={operation.expiresAt} now={operation.at} form="day" />.
      {retriesText(operation) !== undefined && <> {retriesText(operation)}</>}{" "}
      <Link href={`/operations/${operation.operationId}/proof`}>Proof</Link>
    </>
  );
}

/** What else may be done, each with the dialog that does it and the word on its button; settling has its box. */
const OTHER: Readonly<Partial<Record<ActionName, { readonly dialog?: string; readonly verb?: string }>>> = {
  reconcile: { dialog: "reconcile", verb: "Ask" },
  release: { dialog: "release", verb: "Release" },
  withdraw_request: { dialog: "withdraw-request", verb: "Withdraw" },
  purge_body: { dialog: "purge", verb: "Purge" },
  reveal_bodies: { dialog: "reveal", verb: "Show" },
  send_again: {},
};

function OperationSide({ operation }: { readonly operation: OperationDetail }) {
  const { actions, evidence } = operation;
  const others = actions.filter(({ action }) => action in OTHER && (evidence === undefined || action !== "reconcile"));
  return (
    <>
      <Section title="Identifiers">
        <DataList
          items={operation.names.map((name) => ({
            name: name.label,
            value: name.value === undefined ? (name.none ?? "none") : <Id value={name.value} mark />,
          }))}
        />
      </Section>
      <Section quiet title="Policy" right={<Link href={`/policies#${operation.operation}`}>all of it</Link>}>
        <DataList items={operation.policy.map((fact) => ({ name: fact.label, value: fact.value }))} />
      </Section>
      <Section quiet title="Other actions">
        <div className={styles["actions"]}>
          {others.map(({ action, label, allowed, whyNot }) => {
            const { dialog, verb } = OTHER[action] ?? {};
            return (
              <div key={action}>
                <span>{label}</span>
                {allowed && dialog !== undefined ? (
                  <DialogLink small dialog={dialog}>
                    {verb}
                  </DialogLink>
                ) : (
                  <span>{whyNot ?? "Not offered."}</span>
                )}
              </div>
            );
          })}
        </div>
      </Section>
    </>
  );
}
