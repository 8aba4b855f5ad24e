import { MessagePane, NoMessage } from "@/components/messages/message-pane";
import { Id } from "@/components/ui/values/id";
import type { PageAddress } from "@/presentation/list/page-address";
import type { OutboxDetail } from "@/presentation/views/outbox";
import { outboxClauses } from "./outbox-message-view";

export interface OutboxPaneProps {
  readonly message: OutboxDetail | "gone";
  readonly address: PageAddress;
  /** Value of `dialog=` that requeues it; default `requeue:<id>`. */
  readonly dialog?: string | undefined;
}

/** The open message of the outbox. */
export function OutboxPane({ message, ...rest }: OutboxPaneProps) {
  if (message === "gone") return <NoMessage address={rest.address} />;
  return (
    <MessagePane
      side="outbox"
      message={message}
      messageId={message.id}
      clauses={outboxClauses(message)}
      place={[
        { name: "Topic", value: message.topicLabel },
        { name: "In order of", value: <Id value={message.aggregateId} plain /> },
      ]}
      times={{ Written: message.createdAt, Published: message.publishedAt }}
      {...rest}
    />
  );
}
