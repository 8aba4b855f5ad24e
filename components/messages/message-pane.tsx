"use client";

import type { ReactNode } from "react";
import { AttemptMeter } from "@/components/outbox/attempt-meter";
import { DetailPane, PaneWalk } from "@/components/table/detail-pane";
import { ListPane, openedPane } from "@/components/table/list-pane";
import { idPath, useOpened, type Opened } from "@/components/table/use-opened";
import { ButtonLink } from "@/components/ui/button";
import { disabledReason } from "@/components/ui/offer";
import { Id } from "@/components/ui/values/id";
import { usePlace } from "@/components/ui/place";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { SIDES, type MessageSide } from "@/domain/messages/side";
import { messageClauses } from "@/presentation/message/message-verdict";
import { messageBasics, SIDE_WORDS, type AnyMessage } from "@/presentation/message/sides";
import { OperationLink, RequeueButton, untilText } from "./message-cells";
import styles from "@/components/table/pane.module.css";

/** The message that the address opened when the page was read. */
export type OpenedMessage = Opened<AnyMessage> | undefined;

export interface MessagesProps {
  /** Missing: of both sides, and the address names the side too. */
  readonly side?: MessageSide;
  readonly opened: OpenedMessage;
  readonly children: ReactNode;
}

/** A list of messages with the open one beside it: `open=<id>` in the list of a side, `row=<side>:<id>` among dead letters. */
export function MessagesBeside({ side, opened, children }: MessagesProps) {
  const param = side === undefined ? "row" : "open";
  const name = usePlace().query.get(param) ?? undefined;
  const [at, id] = side === undefined ? (name ?? "").split(":", 2) : [side, name];
  const known = at === "outbox" || at === "inbox";
  const row = useOpened(known ? name : undefined, known ? idPath(`/${at}`, id) : undefined, opened);
  const pane = openedPane(
    row,
    "This message",
    (message) => <MessagePane message={message} param={param} />,
    <NoMessage param={param} />,
  );
  return (
    <ListPane label="Current message" pane={pane} busy={row.busy}>
      {children}
    </ListPane>
  );
}

interface PaneParam {
  /** What in the address opens the pane. */
  readonly param: "open" | "row";
}

function MessagePane({ message, param }: PaneParam & { readonly message: AnyMessage }) {
  const { id, state, chain } = message;
  const { side } = messageBasics(message);
  const href = `/${side}/${id}`;
  const requeue = state === "dead" ? message.actions.find(({ action }) => action === "requeue") : undefined;
  return (
    <DetailPane
      href={href}
      closes={param}
      head={
        <div className={styles["head"]}>
          <b>{message.type}</b>
          <StateTag name={state} />
        </div>
      }
      verdict={messageClauses(message)}
      chain={chain}
      known={{ Facts: messageFacts(message) }}
    >
      <ButtonLink wide href={href}>
        Open page
      </ButtonLink>
      {requeue !== undefined && (
        <RequeueButton primary name={`${param === "row" ? side : "requeue"}:${id}`} whyNot={disabledReason(requeue)} />
      )}
    </DetailPane>
  );
}

function messageFacts(message: AnyMessage) {
  const { state, at, attempts, maxAttempts, errorCode } = message;
  const { side, placeLabel, messageId, beganAt, doneAt } = messageBasics(message);
  const words = SIDE_WORDS[side];
  const time = (name: string, value: string | undefined) => ({
    name,
    value: value && <Time at={value} now={at} form="millis" />,
  });
  return [
    { name: "Message", value: <Id value={messageId} mark /> },
    { name: "Operation", value: <OperationLink id={message.operationId} /> },
    { name: words.place, value: placeLabel },
    "topic" in message
      ? { name: "Ordering key", value: <Id value={message.aggregateId} plain /> }
      : { name: "Source", value: message.source },
    { name: "Attempts", value: <AttemptMeter attempts={attempts} max={maxAttempts} dead={state === "dead"} /> },
    time(words.began, beganAt),
    time(words.done, doneAt),
    { name: "Next try", value: state === SIDES[side].waiting ? untilText(message.nextAttemptAt, at) : undefined },
    { name: "Result", value: "result" in message ? message.result : undefined },
    { name: "Last error", value: errorCode },
  ];
}

/** The address names a message that is not there, or did not load. */
function NoMessage({ param }: PaneParam) {
  return (
    <>
      <PaneWalk closes={param} />
      <p className="soft">
        This message is not here. It was purged, its address is wrong, or it belongs to another tenant.
      </p>
    </>
  );
}
