import Link from "next/link";
import { Chain } from "@/components/chain/chain";
import { DiscardDialog } from "@/components/dead-letters/discard-dialog";
import { AttemptsSection } from "@/components/messages/attempts-section";
import { CausesSection } from "@/components/messages/causes-section";
import { MessageBody } from "@/components/messages/message-body";
import { RequeueDialog } from "@/components/messages/requeue-dialog";
import { outboxRequeue } from "@/components/messages/requeue-facts";
import { heldNow, OperationLink, untilText } from "@/components/messages/message-cells";
import { placeHref } from "@/components/messages/place-table";
import { DataList } from "@/components/ui/data-list";
import { Id } from "@/components/ui/values/id";
import { PageHead } from "@/components/ui/page-head";
import { Section, TwoColumns } from "@/components/ui/section";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { Verdict } from "@/components/ui/verdict";
import { MAIL_GAP } from "@/presentation/message/mail-gap";
import type { OutboxDetail } from "@/presentation/views/outbox";
import { AttemptMeter } from "./attempt-meter";
import { ActionBar, Deaths } from "./message-parts";
import { outboxClauses } from "./outbox-clauses";

export interface OutboxMessageViewProps {
  readonly message: OutboxDetail;
}

/** One message on its way out: where it is, who tried, what caused it and what it caused, and whether sending it again is safe. */
export function OutboxMessageView({ message }: OutboxMessageViewProps) {
  const requeue = message.actions.find((action) => action.action === "requeue");
  return (
    <>
      <PageHead
        crumb={
          <>
            <Link href="/outbox">Outbox</Link> ·{" "}
            <Link href={placeHref("outbox", message.topic)}>{message.topicLabel}</Link>
          </>
        }
        crumbRight={<StateTag name={message.state} />}
        lede={
          <>
            {message.type} <Id value={message.id} mark strong />{" "}
            {!message.notification && (
              <>
                of {message.aggregateType} <Id value={message.aggregateId} strong /> #{message.position},{" "}
              </>
            )}
            to {message.topicLabel}.{message.topic === "mail" && ` ${MAIL_GAP}`}
          </>
        }
        aside={<ActionBar id={message.id} actions={message.actions} />}
      >
        <Verdict clauses={outboxClauses(message)} />
      </PageHead>
      <Section title="Chain" note="operation to effect">
        <Chain stations={message.chain.stations} gap={message.chain.gap} label="Chain of this message" />
      </Section>
      <TwoColumns side={<Facts message={message} />}>
        <CausesSection causes={message.causes} now={message.at} />
        <AttemptsSection
          message={message}
          done={message.transport === "mail" ? "the mail server took it" : "acknowledged"}
        />
        <MessageBody
          title="What is delivered"
          note={`${message.contentType}, the same bytes on every attempt; fields outside the allow-list are masked`}
          fields={message.envelope}
          message={message}
        />
        <Deaths rows={message.deadLetters} now={message.at} />
      </TwoColumns>
      <DiscardDialog
        name={`discard:${message.id}`}
        side="outbox"
        id={message.id}
        place={message.topicLabel}
        whyNot={message.actions.find((action) => action.action === "discard")?.whyNot}
      />
      <RequeueDialog
        side="outbox"
        id={message.id}
        row={outboxRequeue(message)}
        whyNot={requeue?.allowed === false ? requeue.whyNot : undefined}
      />
    </>
  );
}

function Facts({ message }: { readonly message: OutboxDetail }) {
  const { at } = message;
  const held = heldNow(message, at);
  return (
    <Section title="Facts">
      <DataList
        narrow
        right
        items={[
          { name: "Operation", value: <OperationLink id={message.operationId} /> },
          { name: "Topic", value: <Link href={placeHref("outbox", message.topic)}>{message.topicLabel}</Link> },
          { name: "Transport", value: message.transport ?? "none, closed by a person" },
          ...(message.destination === undefined ? [] : [{ name: "Destination", value: message.destination }]),
          { name: "Written", value: <Time at={message.createdAt} now={at} form="exact" /> },
          ...(message.publishedAt === undefined
            ? []
            : [{ name: "Published", value: <Time at={message.publishedAt} now={at} form="exact" /> }]),
          ...(message.publishedBy === undefined ? [] : [{ name: "By", value: message.publishedBy }]),
          {
            name: "Attempts",
            value: (
              <AttemptMeter attempts={message.attempts} max={message.maxAttempts} dead={message.state === "dead"} />
            ),
          },
          { name: "Never ended", value: String(message.unfinished) },
          ...(message.state === "pending" && !message.paused
            ? [{ name: "Next try", value: untilText(message.nextAttemptAt, at) }]
            : []),
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
          ...(held === undefined ? [] : [{ name: "Held by", value: `${held.who} until ${held.until.slice(11, 19)}` }]),
          ...(message.errorCode === undefined ? [] : [{ name: "Last error", value: message.errorCode }]),
          ...(message.error === undefined ? [] : [{ name: "It said", value: message.error }]),
        ]}
      />
    </Section>
  );
}
