"use client";

import type { ReactNode } from "react";
import { MessagePane, NoMessage, type MessagePaneProps } from "@/components/messages/message-pane";
import { ListPane, openedPane } from "@/components/table/list-pane";
import { idPath, useOpened, type Opened } from "@/components/table/use-opened";
import { usePlace } from "@/components/ui/place";
import type { InboxDetail } from "@/presentation/views/inbox";
import { inboxClauses } from "./inbox-clauses";

export interface InboxMessagesProps {
  /** The message that the address opened when the page was read. */
  readonly opened: Opened<InboxDetail> | undefined;
  readonly children: ReactNode;
}

/** The list of the inbox with the open message beside it. */
export function InboxMessages({ opened, children }: InboxMessagesProps) {
  const id = usePlace().query.get("open") ?? undefined;
  const row = useOpened(id, idPath("/inbox", id), opened);
  const pane = openedPane(row, "This message", (message) => <InboxPane message={message} />, <NoMessage />);
  return (
    <ListPane label="Current message" pane={pane} busy={row.busy}>
      {children}
    </ListPane>
  );
}

export interface InboxPaneProps {
  readonly message: InboxDetail;
  /** Value of `dialog=` that requeues it; default `requeue:<id>`. */
  readonly dialog?: string | undefined;
  readonly param?: MessagePaneProps["param"];
}

/** The open message of the inbox. */
export function InboxPane({ message, ...rest }: InboxPaneProps) {
  return (
    <MessagePane
      side="inbox"
      message={message}
      messageId={message.messageId}
      clauses={inboxClauses(message)}
      place={[
        { name: "Consumer", value: message.consumer },
        { name: "Source", value: message.source },
      ]}
      times={{ Received: message.receivedAt, Processed: message.processedAt }}
      result={message.result}
      {...rest}
    />
  );
}
