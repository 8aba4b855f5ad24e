import Link from "next/link";
import { ActionBar } from "@/components/outbox/message-parts";
import { EmptyState } from "@/components/feedback/notice";
import { SimpleTable } from "@/components/table/simple-table";
import { DataList } from "@/components/ui/data-list";
import { Id } from "@/components/ui/id";
import { PageHead } from "@/components/ui/page-head";
import { Section, TwoColumns } from "@/components/ui/section";
import { StateTag } from "@/components/ui/state-tag";
import { Time } from "@/components/ui/time";
import { Verdict, type VerdictClause } from "@/components/ui/verdict";
import { formatDuration } from "@/domain/display-time";
import type { GlyphName } from "@/domain/glyph";
import { placeOf, type PageAddress } from "@/domain/page-address";
import type { OutboxDetail } from "@/domain/views/outbox";
import { AttemptMeter } from "./attempt-meter";
import { Deaths, MessageBody } from "./message-parts";
import { RequeueOutboxDialog, untilText } from "./outbox-list";

export interface OutboxMessageViewProps {
  readonly message: OutboxDetail;
  readonly address: PageAddress;
}

/** One message on its way out: where it is, who has it, what it says, and whether sending it again is safe. */
export function OutboxMessageView({ message, address }: OutboxMessageViewProps) {
  const requeue = message.actions.find((action) => action.action === "requeue");
  return (
    <>
      <PageHead
        crumb={<Link href="/outbox">Outbox</Link>}
        crumbRight={<StateTag name={message.state} />}
        lede={
          <>
            {message.type} <Id value={message.id} mark strong /> of {message.aggregateType}{" "}
            <Id value={message.aggregateId} strong /> #{message.position}, to {message.topic}.
          </>
        }
        aside={requeue === undefined ? undefined : <ActionBar id={message.id} address={address} action={requeue} />}
      >
        <Verdict clauses={clauses(message)} />
      </PageHead>
      <TwoColumns side={<Facts message={message} />}>
        <Section title="Who has it" note="inbox rows with this message id">
          <Consumers message={message} />
        </Section>
        <Section title="What it says" note="fields outside the allow-list are masked">
          <MessageBody payload={message.payload} headers={message.headers} />
        </Section>
        <Deaths rows={message.deadLetters} now={message.at} />
      </TwoColumns>
      {placeOf(address, "dialog") === `requeue:${message.id}` && (
        <RequeueOutboxDialog
          id={message.id}
          row={message}
          whyNot={requeue?.allowed === false ? requeue.whyNot : undefined}
        />
      )}
    </>
  );
}

function clauses(message: OutboxDetail): readonly VerdictClause[] {
  const safe: VerdictClause = { text: message.safe.text };
  if (message.publishedAt !== undefined) {
    const took = formatDuration(Date.parse(message.publishedAt) - Date.parse(message.createdAt));
    return [
      {
        text: `Published ${took} after it was written, ${message.attempts <= 1 ? "at the first attempt" : `at attempt ${String(message.attempts)}`}.`,
      },
    ];
  }
  if (message.state === "dead")
    return [
      {
        text: message.attempts <= 1 ? "Dead at the first attempt." : `Dead after ${String(message.attempts)} attempts.`,
        tone: "broken",
      },
      safe,
    ];
  if (message.behind !== undefined) return [{ text: "Waits behind an older message.", tone: "doubt" }, safe];
  return [
    {
      text:
        message.attempts === 0
          ? "Not sent yet."
          : `Tried ${message.attempts === 1 ? "once" : `${String(message.attempts)} times`}, not taken yet.`,
      tone: message.attempts === 0 ? undefined : "doubt",
    },
    safe,
  ];
}

function Consumers({ message }: { readonly message: OutboxDetail }) {
  if (message.consumers.length === 0) {
    return (
      <EmptyState
        title="No inbox here has this id."
        text="A receiver outside this system may have it; it is told the same id on every attempt."
      />
    );
  }
  return (
    <SimpleTable
      label="Inbox rows with this message id"
      columns={[
        { id: "state", header: "State" },
        { id: "consumer", header: "Consumer", phone: "right" },
        { id: "row", header: "Inbox row", phone: "left" },
        { id: "at", header: "When", align: "right", phone: "right" },
      ]}
      rows={message.consumers.map((one) => ({
        id: one.inboxId,
        cells: {
          state: <StateTag name={one.state as GlyphName} />,
          consumer: one.consumer,
          row: (
            <Link href={`/inbox/${one.inboxId}`}>
              <Id value={one.inboxId} plain />
            </Link>
          ),
          at: <Time at={one.at} now={message.at} form="millis" />,
        },
      }))}
    />
  );
}

function Facts({ message }: { readonly message: OutboxDetail }) {
  const { at } = message;
  return (
    <Section title="Facts">
      <DataList
        narrow
        right
        items={[
          {
            name: "Operation",
            value:
              message.operationId === undefined ? (
                "none"
              ) : (
                <Link href={`/operations/${message.operationId}`}>
                  <Id value={message.operationId} plain />
                </Link>
              ),
          },
          { name: "Destination", value: message.topic },
          { name: "Written", value: <Time at={message.createdAt} now={at} form="exact" /> },
          ...(message.publishedAt === undefined
            ? []
            : [{ name: "Published", value: <Time at={message.publishedAt} now={at} form="exact" /> }]),
          {
            name: "Attempts",
            value: (
              <AttemptMeter attempts={message.attempts} max={message.maxAttempts} dead={message.state === "dead"} />
            ),
          },
          ...(message.state === "pending" ? [{ name: "Next try", value: untilText(message.nextAttemptAt, at) }] : []),
          ...(message.behind === undefined
            ? []
            : [
                {
                  name: "Behind",
                  value: (
                    <Link href={`/outbox/${message.behind}`}>
                      <Id value={message.behind} plain />
                    </Link>
                  ),
                },
              ]),
          ...(message.owner === undefined ? [] : [{ name: "Held by", value: message.owner }]),
          ...(message.errorCode === undefined ? [] : [{ name: "Last error", value: message.errorCode }]),
          ...(message.error === undefined ? [] : [{ name: "It said", value: message.error }]),
        ]}
      />
    </Section>
  );
}
