import { OperationLink, untilText } from "@/components/messages/message-cells";
import { MessagePane, NoMessage } from "@/components/messages/message-pane";
import { Id } from "@/components/ui/id";
import { Time } from "@/components/ui/time";
import type { PageAddress } from "@/domain/page-address";
import type { OutboxDetail } from "@/domain/views/outbox";
import { AttemptMeter } from "./attempt-meter";
import { outboxClauses } from "./outbox-message-view";

export interface OutboxPaneProps {
  readonly message: OutboxDetail | "gone";
  readonly address: PageAddress;
  /** Value of `dialog=` that requeues it; default `requeue:<id>`. */
  readonly dialog?: string | undefined;
}

/** The open message of the outbox. */
export function OutboxPane({ message, address, dialog }: OutboxPaneProps) {
  if (message === "gone") return <NoMessage address={address} />;
  const { at, id } = message;
  return (
    <MessagePane
      name={message.type}
      state={message.state}
      clauses={outboxClauses(message)}
      chain={message.chain}
      href={`/outbox/${id}`}
      dialog={dialog ?? `requeue:${id}`}
      requeue={message.state === "dead" ? message.actions.find(({ action }) => action === "requeue") : undefined}
      address={address}
      facts={[
        { name: "Message", value: <Id value={id} mark /> },
        { name: "Operation", value: <OperationLink id={message.operationId} /> },
        { name: "Topic", value: message.topicLabel },
        { name: "In order of", value: <Id value={message.aggregateId} plain /> },
        {
          name: "Attempts",
          value: <AttemptMeter attempts={message.attempts} max={message.maxAttempts} dead={message.state === "dead"} />,
        },
        { name: "Written", value: <Time at={message.createdAt} now={at} form="millis" /> },
        ...(message.publishedAt === undefined
          ? []
          : [{ name: "Published", value: <Time at={message.publishedAt} now={at} form="millis" /> }]),
        ...(message.state === "pending" ? [{ name: "Next try", value: untilText(message.nextAttemptAt, at) }] : []),
        ...(message.errorCode === undefined ? [] : [{ name: "Last error", value: message.errorCode }]),
      ]}
    />
  );
}
