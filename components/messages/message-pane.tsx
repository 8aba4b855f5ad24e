"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { Chain } from "@/components/chain/chain";
import { AttemptMeter } from "@/components/outbox/attempt-meter";
import { ListPane, openedPane } from "@/components/table/list-pane";
import { idPath, useOpened, type Opened } from "@/components/table/use-opened";
import { ButtonLink } from "@/components/ui/button";
import { DataList } from "@/components/ui/data-list";
import { Id } from "@/components/ui/values/id";
import { usePlace } from "@/components/ui/place";
import { PlaceLink } from "@/components/ui/place-link";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { Verdict } from "@/components/ui/verdict";
import { SIDES, type MessageSide } from "@/domain/messages/side";
import { messageBasics, SIDE_WORDS, type AnyMessage } from "@/presentation/message/sides";
import { OperationLink, RequeueButton, untilText } from "./message-cells";
import { messageClauses } from "./message-clauses";
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

/** The current message, beside the list: verdict, chain, what is known. */
function MessagePane({ message, param }: PaneParam & { readonly message: AnyMessage }) {
  const { id, state, chain } = message;
  const { side } = messageBasics(message);
  const href = `/${side}/${id}`;
  const requeue = state === "dead" ? message.actions.find(({ action }) => action === "requeue") : undefined;
  return (
    <>
      <Walk href={href} param={param} />
      <div className={styles["head"]}>
        <b>{message.type}</b>
        <StateTag name={state} />
      </div>
      <Verdict as="h2" size="pane" clauses={messageClauses(message)} />
      <div className="above">
        <Chain stations={chain.stations} gap={chain.gap} compact />
      </div>
      <div className={styles["block"]}>
        <h3>Facts</h3>
        <DataList right items={messageFacts(message)} />
      </div>
      <div className={styles["actions"]}>
        <ButtonLink wide href={href}>
          Open page
        </ButtonLink>
        {requeue !== undefined && (
          <RequeueButton
            primary
            name={`${param === "row" ? side : "requeue"}:${id}`}
            whyNot={requeue.allowed ? undefined : (requeue.whyNot ?? "Not offered now.")}
          />
        )}
      </div>
    </>
  );
}

function messageFacts(message: AnyMessage) {
  const { state, at, attempts, maxAttempts, errorCode } = message;
  const { side, placeLabel, messageId, beganAt, doneAt } = messageBasics(message);
  const words = SIDE_WORDS[side];
  const time = (name: string, value: string) => ({ name, value: <Time at={value} now={at} form="millis" /> });
  const result = "result" in message ? message.result : undefined;
  return [
    { name: "Message", value: <Id value={messageId} mark /> },
    { name: "Operation", value: <OperationLink id={message.operationId} /> },
    { name: words.place, value: placeLabel },
    "topic" in message
      ? { name: "In order of", value: <Id value={message.aggregateId} plain /> }
      : { name: "Source", value: message.source },
    { name: "Attempts", value: <AttemptMeter attempts={attempts} max={maxAttempts} dead={state === "dead"} /> },
    time(words.began, beganAt),
    ...(doneAt === undefined ? [] : [time(words.done, doneAt)]),
    ...(state === SIDES[side].waiting ? [{ name: "Next try", value: untilText(message.nextAttemptAt, at) }] : []),
    ...(result === undefined ? [] : [{ name: "Result", value: result }]),
    ...(errorCode === undefined ? [] : [{ name: "Last error", value: errorCode }]),
  ];
}

/** The address names a message that is not there, or did not load. */
function NoMessage({ param }: PaneParam) {
  return (
    <>
      <Walk param={param} />
      <p className="soft">
        This message is not here. It was purged, its address is wrong, or it belongs to another tenant.
      </p>
    </>
  );
}

function Walk({ href, param }: PaneParam & { readonly href?: string }) {
  return (
    <div className={styles["walk"]}>
      <span>
        Walk with <kbd>j</kbd> <kbd>k</kbd>, open with <kbd>↵</kbd>
      </span>
      {href !== undefined && (
        <Link href={href} prefetch={false}>
          Open page
        </Link>
      )}
      <PlaceLink place={{ [param]: undefined }}>Close</PlaceLink>
    </div>
  );
}
