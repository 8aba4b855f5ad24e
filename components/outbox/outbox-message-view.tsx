import Link from "next/link";
import { Chain } from "@/components/chain/chain";
import { DiscardDialog } from "@/components/dead-letters/discard-dialog";
import { AttemptsSection } from "@/components/messages/attempts-section";
import { CausesSection } from "@/components/messages/causes-section";
import { MessageBody } from "@/components/messages/message-body";
import { heldNow, OperationLink, untilText } from "@/components/messages/message-cells";
import { placeHref } from "@/components/messages/place-table";
import { DataList } from "@/components/ui/data-list";
import { Id } from "@/components/ui/values/id";
import { PageHead } from "@/components/ui/page-head";
import { Section, TwoColumns } from "@/components/ui/section";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { Verdict, type VerdictClause } from "@/components/ui/verdict";
import { MAIL_GAP } from "@/presentation/message/mail-gap";
import { formatDuration } from "@/presentation/format/display-time";
import { placeOf, type PageAddress } from "@/presentation/list/page-address";
import type { OutboxDetail } from "@/presentation/views/outbox";
import { AttemptMeter } from "./attempt-meter";
import { ActionBar, Deaths } from "./message-parts";
import { RequeueOutboxDialog } from "./outbox-list";

export interface OutboxMessageViewProps {
  readonly message: OutboxDetail;
  readonly address: PageAddress;
}

/** One message on its way out: where it is, who tried, what caused it and what it caused, and whether sending it again is safe. */
export function OutboxMessageView({ message, address }: OutboxMessageViewProps) {
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
        aside={<ActionBar id={message.id} address={address} actions={message.actions} />}
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
      {placeOf(address, "dialog") === `discard:${message.id}` && (
        <DiscardDialog
          name={`discard:${message.id}`}
          side="outbox"
          id={message.id}
          place={message.topicLabel}
          whyNot={message.actions.find((action) => action.action === "discard")?.whyNot}
        />
      )}
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

/** The verdict on one message. */
export function outboxClauses(message: OutboxDetail): readonly VerdictClause[] {
  const safe: VerdictClause = { text: message.safe.text };
  if (message.publishedAt !== undefined)
    return [{ text: published(message, message.publishedAt) }, ...handled(message)];
  if (message.state === "discarded")
    return [{ text: "Discarded by a person.", tone: "doubt" }, { text: "It is never sent." }];
  if (message.state === "dead")
    return [
      {
        text: message.attempts <= 1 ? "Dead at the first attempt." : `Dead after ${String(message.attempts)} attempts.`,
        tone: "broken",
      },
      safe,
    ];
  if (heldNow(message, message.at) !== undefined && message.attempts > 0)
    return [
      {
        text:
          message.attempts === 1 ? "Under way, its first attempt." : `Under way, attempt ${String(message.attempts)}.`,
      },
      safe,
    ];
  if (message.paused) return [{ text: "Waits: its topic is paused.", tone: "doubt" }, { text: "Nothing is lost." }];
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

function published({ publishedBy, createdAt, attempts }: OutboxDetail, at: string): string {
  if (publishedBy === "operator") return "Closed by a person: its consumer had it already.";
  const took = formatDuration(Date.parse(at) - Date.parse(createdAt));
  return `Published ${took} after it was written, ${attempts <= 1 ? "at the first attempt" : `at attempt ${String(attempts)}`}.`;
}

/** What became of it at consumers here. */
function handled({ consumers }: OutboxDetail): readonly VerdictClause[] {
  if (consumers.length === 0) return [];
  const dead = consumers.filter((each) => each.state === "dead");
  const open = consumers.filter((each) => each.state === "recorded");
  if (dead.length > 0)
    return [{ text: `${dead.map((each) => each.consumer).join(" and ")} gave it up.`, tone: "broken" }];
  if (open.length > 0)
    return [{ text: `${open.map((each) => each.consumer).join(" and ")} did not handle it yet.`, tone: "doubt" }];
  return [{ text: `Handled once by ${consumers.map((each) => each.consumer).join(" and ")}.` }];
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
