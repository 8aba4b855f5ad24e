import { MessagePane, NoMessage } from "@/components/messages/message-pane";
import type { PageAddress } from "@/presentation/list/page-address";
import type { InboxDetail } from "@/presentation/views/inbox";
import { inboxClauses } from "./inbox-message-view";

export interface InboxPaneProps {
  readonly message: InboxDetail | "gone";
  readonly address: PageAddress;
  /** Value of `dialog=` that requeues it; default `requeue:<id>`. */
  readonly dialog?: string | undefined;
}

/** The open message of the inbox. */
export function InboxPane({ message, ...rest }: InboxPaneProps) {
  if (message === "gone") return <NoMessage address={rest.address} />;
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
