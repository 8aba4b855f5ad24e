"use client";

import type { ReactNode } from "react";
import { MessagePane, NoMessage, type MessagePaneProps } from "@/components/messages/message-pane";
import { ListPane, openedPane } from "@/components/table/list-pane";
import { idPath, useOpened, type Opened } from "@/components/table/use-opened";
import { Id } from "@/components/ui/values/id";
import { usePlace } from "@/components/ui/place";
import type { OutboxDetail } from "@/presentation/views/outbox";
import { outboxClauses } from "./outbox-clauses";

export interface OutboxMessagesProps {
  /** The message that the address opened when the page was read. */
  readonly opened: Opened<OutboxDetail> | undefined;
  readonly children: ReactNode;
}

/** The list of the outbox with the open message beside it. */
export function OutboxMessages({ opened, children }: OutboxMessagesProps) {
  const id = usePlace().query.get("open") ?? undefined;
  const row = useOpened(id, idPath("/outbox", id), opened);
  const pane = openedPane(row, "This message", (message) => <OutboxPane message={message} />, <NoMessage />);
  return (
    <ListPane label="Current message" pane={pane} busy={row.busy}>
      {children}
    </ListPane>
  );
}

export interface OutboxPaneProps {
  readonly message: OutboxDetail;
  /** Value of `dialog=` that requeues it; default `requeue:<id>`. */
  readonly dialog?: string | undefined;
  readonly param?: MessagePaneProps["param"];
}

/** The open message of the outbox. */
export function OutboxPane({ message, ...rest }: OutboxPaneProps) {
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
