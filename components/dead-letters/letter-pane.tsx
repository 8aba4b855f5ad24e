"use client";

import type { ReactNode } from "react";
import { InboxPane } from "@/components/inbox/inbox-pane";
import { NoMessage } from "@/components/messages/message-pane";
import { OutboxPane } from "@/components/outbox/outbox-pane";
import { ListPane, openedPane } from "@/components/table/list-pane";
import { idPath, useOpened, type Opened } from "@/components/table/use-opened";
import { usePlace } from "@/components/ui/place";
import type { InboxDetail } from "@/presentation/views/inbox";
import type { OutboxDetail } from "@/presentation/views/outbox";

/** The message that the address opened when the page was read, of one side or the other. */
export interface OpenedLetter {
  readonly outbox: Opened<OutboxDetail> | undefined;
  readonly inbox: Opened<InboxDetail> | undefined;
}

/** The messages of one cause with the open one beside them: `row=<side>:<id>`. */
export function LetterPane({ opened, children }: { readonly opened: OpenedLetter; readonly children: ReactNode }) {
  const [side, id] = (usePlace().query.get("row") ?? "").split(":", 2);
  const out = side === "outbox" ? id : undefined;
  const arrived = side === "inbox" ? id : undefined;
  const outbox = useOpened(out, idPath("/outbox", out), opened.outbox);
  const inbox = useOpened(arrived, idPath("/inbox", arrived), opened.inbox);
  const what = "This message";
  const pane =
    openedPane(
      outbox,
      what,
      (message) => <OutboxPane param="row" message={message} dialog={`outbox:${message.id}`} />,
      <NoMessage param="row" />,
    ) ??
    openedPane(
      inbox,
      what,
      (message) => <InboxPane param="row" message={message} dialog={`inbox:${message.id}`} />,
      <NoMessage param="row" />,
    );
  return (
    <ListPane label="Current message" pane={pane} busy={outbox.busy || inbox.busy}>
      {children}
    </ListPane>
  );
}
