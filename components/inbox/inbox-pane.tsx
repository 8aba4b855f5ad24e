import { OperationLink, untilText } from "@/components/messages/message-cells";
import { MessagePane, NoMessage } from "@/components/messages/message-pane";
import { AttemptMeter } from "@/components/outbox/attempt-meter";
import { Id } from "@/components/ui/id";
import { Time } from "@/components/ui/time";
import type { PageAddress } from "@/domain/page-address";
import type { InboxDetail } from "@/domain/views/inbox";
import { inboxClauses } from "./inbox-message-view";

export interface InboxPaneProps {
  readonly message: InboxDetail | "gone";
  readonly address: PageAddress;
  /** Value of `dialog=` that requeues it; default `requeue:<id>`. */
  readonly dialog?: string | undefined;
}

/** The open message of the inbox. */
export function InboxPane({ message, address, dialog }: InboxPaneProps) {
  if (message === "gone") return <NoMessage address={address} />;
  const { at, id } = message;
  return (
    <MessagePane
      name={message.type}
      state={message.state}
      clauses={inboxClauses(message)}
      chain={message.chain}
      href={`/inbox/${id}`}
      dialog={dialog ?? `requeue:${id}`}
      requeue={message.state === "dead" ? message.actions.find(({ action }) => action === "requeue") : undefined}
      address={address}
      facts={[
        { name: "Message", value: <Id value={message.messageId} mark /> },
        { name: "Operation", value: <OperationLink id={message.operationId} /> },
        { name: "Consumer", value: message.consumer },
        { name: "Source", value: message.source },
        {
          name: "Attempts",
          value: <AttemptMeter attempts={message.attempts} max={message.maxAttempts} dead={message.state === "dead"} />,
        },
        { name: "Received", value: <Time at={message.receivedAt} now={at} form="millis" /> },
        ...(message.processedAt === undefined
          ? []
          : [{ name: "Processed", value: <Time at={message.processedAt} now={at} form="millis" /> }]),
        ...(message.state === "recorded" ? [{ name: "Next try", value: untilText(message.nextAttemptAt, at) }] : []),
        ...(message.result === undefined ? [] : [{ name: "Result", value: message.result }]),
        ...(message.errorCode === undefined ? [] : [{ name: "Last error", value: message.errorCode }]),
      ]}
    />
  );
}
