import Link from "next/link";
import { Chain } from "@/components/chain/chain";
import { DiscardDialog } from "@/components/dead-letters/discard-dialog";
import { AttemptsSection } from "@/components/messages/attempts-section";
import { CausesSection } from "@/components/messages/causes-section";
import { MessageBody } from "@/components/messages/message-body";
import { RequeueDialog } from "@/components/messages/requeue-dialog";
import { inboxRequeue } from "@/components/messages/requeue-facts";
import { heldNow, OperationLink, untilText } from "@/components/messages/message-cells";
import { placeHref } from "@/components/messages/place-table";
import { AttemptMeter } from "@/components/outbox/attempt-meter";
import { ActionBar, Deaths } from "@/components/outbox/message-parts";
import { SimpleTable } from "@/components/table/simple-table";
import { DataList } from "@/components/ui/data-list";
import { Id } from "@/components/ui/values/id";
import { PageHead } from "@/components/ui/page-head";
import { Section, TwoColumns } from "@/components/ui/section";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { Verdict } from "@/components/ui/verdict";
import { inboxClauses } from "./inbox-clauses";
import type { ArrivalRow, InboxDetail } from "@/presentation/views/inbox";

export interface InboxMessageViewProps {
  readonly message: InboxDetail;
}

/** One message that arrived: every arrival of its id, what its consumer made of it, what it says. */
export function InboxMessageView({ message }: InboxMessageViewProps) {
  const requeue = message.actions.find((action) => action.action === "requeue");
  return (
    <>
      <PageHead
        crumb={
          <>
            <Link href="/inbox">Inbox</Link> ·{" "}
            <Link href={placeHref("inbox", message.consumer)}>{message.consumer}</Link>
          </>
        }
        crumbRight={<StateTag name={message.state} />}
        lede={
          <>
            {message.type} <Id value={message.messageId} mark strong /> from {message.source}, for {message.consumer}.
          </>
        }
        aside={<ActionBar id={message.id} actions={message.actions} />}
      >
        <Verdict clauses={inboxClauses(message)} />
      </PageHead>
      <Section title="Chain" note="cause to effect">
        <Chain stations={message.chain.stations} gap={message.chain.gap} label="Chain of this message" />
      </Section>
      <TwoColumns side={<Facts message={message} />}>
        <CausesSection causes={message.causes} now={message.at} />
        <AttemptsSection message={message} done={message.result ?? "handled"} />
        <Section title="Every arrival" note="the first is kept, the others are counted">
          <ArrivalsTable message={message} />
        </Section>
        <MessageBody
          title="What it says"
          note="fields outside the allow-list are masked"
          fields={message.payload}
          message={message}
        />
        <Deaths rows={message.deadLetters} now={message.at} />
      </TwoColumns>
      <DiscardDialog
        name={`discard:${message.id}`}
        side="inbox"
        id={message.id}
        place={message.consumer}
        whyNot={message.actions.find((action) => action.action === "discard")?.whyNot}
      />
      <RequeueDialog
        side="inbox"
        id={message.id}
        row={inboxRequeue(message)}
        whyNot={requeue?.allowed === false ? requeue.whyNot : undefined}
      />
    </>
  );
}

const ARRIVALS: Readonly<
  Record<ArrivalRow["outcome"], { readonly glyph: "recorded" | "duplicate" | "conflict"; readonly word: string }>
> = {
  recorded: { glyph: "recorded", word: "Recorded" },
  duplicate: { glyph: "duplicate", word: "Duplicate" },
  mismatch: { glyph: "conflict", word: "Another payload" },
};

function ArrivalsTable({ message }: { readonly message: InboxDetail }) {
  return (
    <SimpleTable
      label="Every arrival of this message id"
      columns={[
        { id: "outcome", header: "Outcome" },
        { id: "at", header: "When", align: "right", phone: "right" },
        { id: "hash", header: "Payload hash", phone: "left" },
        { id: "request", header: "Request", align: "right", phone: "right" },
      ]}
      rows={message.arrivals.map((arrival, index) => ({
        id: `${String(index)} ${arrival.at}`,
        cells: {
          outcome: <StateTag name={ARRIVALS[arrival.outcome].glyph}>{ARRIVALS[arrival.outcome].word}</StateTag>,
          at: <Time at={arrival.at} now={message.at} form="millis" />,
          hash: <Id value={arrival.payloadHash} full plain />,
          request: arrival.requestId === undefined ? "none" : <Id value={arrival.requestId} />,
        },
      }))}
    />
  );
}

function Facts({ message }: { readonly message: InboxDetail }) {
  const { at, operationId, outbox } = message;
  const held = heldNow(message, at);
  return (
    <Section title="Facts">
      <DataList
        narrow
        right
        items={[
          { name: "Inbox row", value: <Id value={message.id} /> },
          { name: "Operation", value: <OperationLink id={operationId} /> },
          { name: "Consumer", value: <Link href={placeHref("inbox", message.consumer)}>{message.consumer}</Link> },
          { name: "Source", value: message.source },
          ...(outbox === undefined
            ? []
            : [{ name: "Sent by", value: <Link href={`/outbox/${outbox.id}`}>our outbox, {outbox.state}</Link> }]),
          { name: "Received", value: <Time at={message.receivedAt} now={at} form="exact" /> },
          ...(message.processedAt === undefined
            ? []
            : [{ name: "Processed", value: <Time at={message.processedAt} now={at} form="exact" /> }]),
          {
            name: "Attempts",
            value: (
              <AttemptMeter attempts={message.attempts} max={message.maxAttempts} dead={message.state === "dead"} />
            ),
          },
          { name: "Never ended", value: String(message.unfinished) },
          ...(message.state === "recorded" ? [{ name: "Next try", value: untilText(message.nextAttemptAt, at) }] : []),
          ...(held === undefined ? [] : [{ name: "Held by", value: `${held.who} until ${held.until.slice(11, 19)}` }]),
          ...(message.alone ? [{ name: "Handled", value: "alone, in a transaction of its own" }] : []),
          { name: "Payload hash", value: <Id value={message.payloadHash} full plain /> },
          ...(message.result === undefined ? [] : [{ name: "Result", value: message.result }]),
          ...(message.errorCode === undefined ? [] : [{ name: "Last error", value: message.errorCode }]),
          ...(message.error === undefined ? [] : [{ name: "It said", value: message.error }]),
        ]}
      />
    </Section>
  );
}
