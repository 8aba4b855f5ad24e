import Link from "next/link";
import { Chain } from "@/components/chain/chain";
import { DiscardDialog } from "@/components/dead-letters/discard-dialog";
import { AttemptsSection } from "@/components/messages/attempts-section";
import { CausesSection } from "@/components/messages/causes-section";
import { MessageBody } from "@/components/messages/message-body";
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
import { Verdict, type VerdictClause } from "@/components/ui/verdict";
import { formatDuration } from "@/presentation/format/display-time";
import { placeOf, type PageAddress } from "@/presentation/list/page-address";
import type { ArrivalRow, InboxDetail } from "@/presentation/views/inbox";
import { RequeueInboxDialog } from "./inbox-list";

export interface InboxMessageViewProps {
  readonly message: InboxDetail;
  readonly address: PageAddress;
}

/** One message that arrived: every arrival of its id, what its consumer made of it, what it says. */
export function InboxMessageView({ message, address }: InboxMessageViewProps) {
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
        aside={<ActionBar id={message.id} address={address} actions={message.actions} />}
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
      {placeOf(address, "dialog") === `discard:${message.id}` && (
        <DiscardDialog
          name={`discard:${message.id}`}
          side="inbox"
          id={message.id}
          place={message.consumer}
          whyNot={message.actions.find((action) => action.action === "discard")?.whyNot}
        />
      )}
      {placeOf(address, "dialog") === `requeue:${message.id}` && (
        <RequeueInboxDialog
          id={message.id}
          row={message}
          whyNot={requeue?.allowed === false ? requeue.whyNot : undefined}
        />
      )}
    </>
  );
}

/** The verdict on one message. */
export function inboxClauses(message: InboxDetail): readonly VerdictClause[] {
  const came = 1 + message.duplicates + message.mismatches;
  const arrived: VerdictClause = {
    text: came === 1 ? "Arrived once." : `Arrived ${came === 2 ? "twice" : `${String(came)} times`}, recorded once.`,
  };
  const other: VerdictClause[] =
    message.mismatches === 0
      ? []
      : [{ text: `${String(message.mismatches)} with another payload, never handled.`, tone: "conflict" }];
  return [...handled(message), arrived, ...other];
}

function handled(message: InboxDetail): readonly VerdictClause[] {
  if (message.processedAt !== undefined) {
    return [
      {
        text: `Handled once, ${formatDuration(Date.parse(message.processedAt) - Date.parse(message.receivedAt))} after it arrived.`,
      },
    ];
  }
  const safe: VerdictClause = { text: message.safe.text };
  if (message.state === "discarded")
    return [{ text: "Discarded by a person.", tone: "doubt" }, { text: "It is never handled." }];
  if (message.state === "dead")
    return [
      {
        text:
          message.attempts <= 1
            ? "Given up at the first attempt."
            : `Given up after ${String(message.attempts)} attempts.`,
        tone: "broken",
      },
      safe,
    ];
  return [
    {
      text:
        message.attempts === 0
          ? "Recorded, not handled yet."
          : `Recorded, ${String(message.attempts)} attempts failed.`,
      tone: message.attempts === 0 ? undefined : "doubt",
    },
  ];
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
