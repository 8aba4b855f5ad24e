import { Link } from "@/components/ui/link";
import { Chain } from "@/components/chain/chain";
import { DiscardDialog } from "@/components/messages/discard-dialog";
import { AttemptMeter } from "@/components/outbox/attempt-meter";
import { RowsTable, SectionTable } from "@/components/table/rows-table";
import { DataList } from "@/components/ui/data-list";
import { PageHead } from "@/components/ui/page-head";
import { Section, TwoColumns } from "@/components/ui/section";
import { Id } from "@/components/ui/values/id";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { SIDES } from "@/domain/messages/side";
import { MAIL_GAP } from "@/presentation/message/mail-gap";
import { messageBasics, SIDE_WORDS, type AnyMessage } from "@/presentation/message/sides";
import type { ArrivalRow, InboxDetail } from "@/presentation/views/inbox";
import { ActionBar } from "./action-bar";
import { AttemptsSection } from "./attempts-section";
import { CausesSection } from "./causes-section";
import { heldNow, messageClauses } from "@/presentation/message/message-verdict";
import { OperationLink, untilText } from "./message-cells";
import { Count, placeHref } from "./place-table";
import { RepublishDialog } from "./republish-dialog";
import { Republished } from "./republished-section";
import { RequeueDialog } from "./requeue-dialog";
import { deadMessageOf } from "./dead-message";
import type { MessageDetail } from "@/presentation/views/messages";
import { CodeBlock } from "@/components/ui/values/masked";
import { Note } from "@/components/ui/row";
import { plural } from "@/presentation/format/words";
import type { DeadLetterRow } from "@/presentation/views/dead-letters";
import shared from "@/components/outbox/messages.module.css";

/** One message of either side: where it is, who tried, what caused it and what it caused, and whether it may go again. */
export function MessageView({ message }: { readonly message: AnyMessage }) {
  const { id, at, chain } = message;
  const { side, place, placeLabel } = messageBasics(message);
  const whyNot = (name: "requeue" | "discard" | "republish"): string | undefined =>
    message.actions.find(({ action }) => action === name)?.whyNot;
  return (
    <>
      <PageHead
        crumb={
          <>
            <Link href={`/${side}`}>{SIDE_WORDS[side].title}</Link> ·{" "}
            <Link href={placeHref(side, place)}>{placeLabel}</Link>
          </>
        }
        crumbRight={<StateTag name={message.state} />}
        lede={<Lede message={message} />}
        aside={<ActionBar id={id} actions={message.actions} />}
        verdict={messageClauses(message)}
      />
      <Section title="Chain" note={side === "outbox" ? "operation to effect" : "cause to effect"}>
        <Chain stations={chain.stations} gap={chain.gap} label="Chain of this message" />
      </Section>
      <TwoColumns side={<Facts message={message} />}>
        <CausesSection causes={message.causes} now={at} />
        <AttemptsSection message={message} done={doneWord(message)} />
        {"arrivals" in message && <ArrivalsTable message={message} />}
        {"republished" in message && <Republished message={message} />}
        <Body message={message} />
        <Deaths rows={message.deadLetters} now={at} />
      </TwoColumns>
      <DiscardDialog name={`discard:${id}`} side={side} id={id} place={placeLabel} whyNot={whyNot("discard")} />
      {"republished" in message && message.state === "published" && (
        <RepublishDialog id={id} place={placeLabel} note={message.republishNote} whyNot={whyNot("republish")} />
      )}
      <RequeueDialog side={side} id={id} row={deadMessageOf(message)} whyNot={whyNot("requeue")} />
    </>
  );
}

function Lede({ message }: { readonly message: AnyMessage }) {
  const { messageId, placeLabel } = messageBasics(message);
  const name = (
    <>
      {message.type} <Id value={messageId} mark strong />
    </>
  );
  if (!("topic" in message))
    return (
      <>
        {name} from {message.source}, for {placeLabel}.
      </>
    );
  return (
    <>
      {name}{" "}
      {!message.notification && (
        <>
          of {message.aggregateType} <Id value={message.aggregateId} strong /> #{message.position},{" "}
        </>
      )}
      to {placeLabel}.{message.topic === "mail" && ` ${MAIL_GAP}`}
    </>
  );
}

function doneWord(message: AnyMessage): string {
  if (!("topic" in message)) return message.result ?? "handled";
  return message.transport === "mail" ? "the mail server accepted it" : "acknowledged";
}

function Body({ message }: { readonly message: AnyMessage }) {
  return "envelope" in message ? (
    <MessageBody
      title="What is delivered"
      note={`${message.contentType}, the same bytes on every attempt; fields outside the allow-list are masked`}
      fields={message.envelope}
      message={message}
    />
  ) : (
    <MessageBody
      title="Content"
      note="fields outside the allow-list are masked"
      fields={message.payload}
      message={message}
    />
  );
}

const ARRIVALS: Readonly<
  Record<ArrivalRow["outcome"], { readonly glyph: "recorded" | "duplicate" | "conflict"; readonly word: string }>
> = {
  recorded: { glyph: "recorded", word: "Recorded" },
  duplicate: { glyph: "duplicate", word: "Duplicate" },
  mismatch: { glyph: "conflict", word: "Payload changed" },
};

function ArrivalsTable({ message }: { readonly message: InboxDetail }) {
  if (message.arrivals.length === 0) return null;
  return (
    <Section title="Every arrival" note="the first is kept, the others are counted">
      <RowsTable
        label="Every arrival of this message id"
        rows={message.arrivals}
        rowId={(arrival, index) => `${String(index)} ${arrival.at}`}
        columns={{
          Outcome: {
            cell: ({ outcome }) => <StateTag name={ARRIVALS[outcome].glyph}>{ARRIVALS[outcome].word}</StateTag>,
          },
          When: {
            align: "right",
            phone: "right",
            cell: (arrival) => <Time at={arrival.at} now={message.at} form="millis" />,
          },
          "Payload hash": { phone: "left", cell: (arrival) => <Id value={arrival.payloadHash} full plain /> },
          Request: {
            align: "right",
            phone: "right",
            cell: ({ requestId }) => (requestId === undefined ? "none" : <Id value={requestId} />),
          },
        }}
      />
    </Section>
  );
}

function Facts({ message }: { readonly message: AnyMessage }) {
  const { at, state, attempts, maxAttempts, unfinished, nextAttemptAt, errorCode, error } = message;
  const { side, place, placeLabel, beganAt, doneAt } = messageBasics(message);
  const words = SIDE_WORDS[side];
  const held = heldNow(message, at);
  const [sent, arrived] = "topic" in message ? [message, undefined] : [undefined, message];
  const waits = state === SIDES[side].waiting && sent?.paused !== true;
  return (
    <Section title="Facts">
      <DataList
        narrow
        right
        items={[
          { name: "Inbox row", value: arrived && <Id value={arrived.id} /> },
          { name: "Operation", value: <OperationLink id={message.operationId} /> },
          { name: words.place, value: <Link href={placeHref(side, place)}>{placeLabel}</Link> },
          { name: "Transport", value: sent && (sent.transport ?? "none, closed by a person") },
          { name: "Destination", value: sent?.destination },
          { name: "Corrects", value: sent?.corrects && <MessageLink id={sent.corrects} /> },
          { name: "Corrected by", value: sent?.correctedBy && <MessageLink id={sent.correctedBy} /> },
          {
            name: "Correction",
            value: sent?.correctionPlan && (
              <Link href={`/plans/${sent.correctionPlan}`}>waits for a second person</Link>
            ),
          },
          { name: "Source", value: arrived?.source },
          {
            name: "Sent by",
            value: arrived?.outbox && (
              <Link href={`/outbox/${arrived.outbox.id}`}>our outbox, {arrived.outbox.state}</Link>
            ),
          },
          { name: words.began, value: <Time at={beganAt} now={at} form="exact" /> },
          { name: words.done, value: doneAt && <Time at={doneAt} now={at} form="exact" /> },
          { name: "By", value: sent?.publishedBy },
          { name: "Attempts", value: <AttemptMeter attempts={attempts} max={maxAttempts} dead={state === "dead"} /> },
          { name: "Never ended", value: String(unfinished) },
          { name: "Next try", value: waits ? untilText(nextAttemptAt, at) : undefined },
          {
            name: "Held by",
            value: held && (
              <>
                {held.who} until <Time at={held.until} now={at} form="clock" />
              </>
            ),
          },
          {
            name: "Behind",
            value: sent?.behind && (
              <Link href={`/outbox/${sent.behind}`}>
                <Id value={sent.behind} plain />
              </Link>
            ),
          },
          { name: "Handled", value: arrived?.alone === true ? "alone, in a transaction of its own" : undefined },
          { name: "Payload hash", value: arrived && <Id value={arrived.payloadHash} full plain /> },
          { name: "Result", value: arrived?.result },
          { name: "Last error", value: [errorCode, error].filter(Boolean).join(": ") || undefined },
        ]}
      />
    </Section>
  );
}

function MessageLink({ id }: { readonly id: string }) {
  return (
    <Link href={`/outbox/${id}`}>
      <Id value={id} plain />
    </Link>
  );
}

interface MessageBodyProps {
  readonly title: string;
  readonly note: string;
  readonly fields: readonly { readonly name: string; readonly value: string; readonly masked: boolean }[];
  readonly message: Pick<MessageDetail, "headers" | "hiddenHeaders">;
}

/** Body and headers of a message, field by field; signatures are never shown. */
export function MessageBody({ title, note, fields, message }: MessageBodyProps) {
  const { headers, hiddenHeaders } = message;
  return (
    <Section title={title} note={note}>
      {fields.length === 0 ? (
        <p className="quiet">no field</p>
      ) : (
        <CodeBlock
          lines={fields.map((field) => ({ name: field.name, value: field.masked ? undefined : field.value }))}
        />
      )}
      {headers.length + hiddenHeaders > 0 && (
        <div className={shared["headers"]}>
          <Note>Headers{hiddenHeaders > 0 && `, ${plural(hiddenHeaders, "other")} not shown`}</Note>
          {headers.length > 0 && <CodeBlock lines={headers} />}
        </div>
      )}
    </Section>
  );
}

export function Deaths({ rows, now }: { readonly rows: readonly DeadLetterRow[]; readonly now: string }) {
  return (
    <SectionTable
      title="When it died"
      note={rows.length === 1 ? "once" : `${String(rows.length)} times`}
      label="Dead letters of this message"
      rows={rows}
      columns={{
        "Dead since": { cell: (row) => <Time at={row.deadAt} now={now} form="day" /> },
        Error: { phone: "full", wrap: true, cell: (row) => `${row.errorCode}: ${row.error}` },
        Attempts: {
          align: "right",
          cell: (row) => <Count value={row.attempts} unit={row.attempts === 1 ? "attempt" : "attempts"} />,
        },
        Then: { align: "right", phone: "full", wrap: true, cell: (row) => <Settled row={row} now={now} /> },
      }}
    />
  );
}

function Settled({ row, now }: { readonly row: DeadLetterRow; readonly now: string }) {
  if (row.requeuedAt === undefined) return <>waits for a person</>;
  return (
    <>
      {row.settlement ?? "requeued"}
      {row.correctedBy !== undefined && (
        <>
          {" "}
          by <MessageLink id={row.correctedBy} />
        </>
      )}{" "}
      <Time at={row.requeuedAt} now={now} form="day" /> by {row.requeuedBy ?? "somebody"}
      {row.reason !== undefined && row.reason !== "" && `: ${row.reason}`}
    </>
  );
}
