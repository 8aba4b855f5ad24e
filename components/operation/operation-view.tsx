import Link from "next/link";
import { Chain } from "@/components/chain/chain";
import { Timeline } from "@/components/chain/timeline";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { FollowPage } from "@/components/shell/live-provider";
import { Section, TwoColumns } from "@/components/ui/section";
import { hrefWith, pageParam, type PageAddress } from "@/presentation/list/page-address";
import type { KeyCallersView } from "@/presentation/views/clients";
import type { OperationDetail } from "@/presentation/views/operations";
import { plural } from "@/presentation/format/words";
import { AuditSection } from "./audit-section";
import { CommandSection } from "./command-section";
import { EventsSection } from "./events-section";
import { EvidenceBox } from "./evidence-box";
import { MessagesSection } from "./messages-section";
import { OperationDialogs } from "./operation-dialogs";
import { OperationHead } from "./operation-head";
import { OperationSide } from "./operation-side";
import { ProviderSection } from "./provider-section";
import { RawSection } from "./raw-section";
import { RequestsSection } from "./requests-section";
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
