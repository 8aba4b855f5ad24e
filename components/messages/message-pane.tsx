import Link from "next/link";
import type { ReactNode } from "react";
import { Chain } from "@/components/chain/chain";
import { OperationLink, RequeueButton, untilText } from "@/components/messages/message-cells";
import { AttemptMeter } from "@/components/outbox/attempt-meter";
import { ButtonLink } from "@/components/ui/button";
import { DataList } from "@/components/ui/data-list";
import { Id } from "@/components/ui/values/id";
import { PlaceLink } from "@/components/ui/place-link";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { Verdict, type ClauseProps } from "@/components/ui/verdict";
import type { InboxDetail } from "@/presentation/views/inbox";
import type { MessageDetail } from "@/presentation/views/messages";
import type { OutboxDetail } from "@/presentation/views/outbox";
import styles from "./message-pane.module.css";

type Fact = { readonly name: string; readonly value: ReactNode };

/** A message of either side, as its pane shows it. */
type PaneMessage = Pick<MessageDetail, "chain"> &
  Pick<
    OutboxDetail | InboxDetail,
    | "id"
    | "type"
    | "state"
    | "at"
    | "operationId"
    | "attempts"
    | "maxAttempts"
    | "nextAttemptAt"
    | "errorCode"
    | "actions"
  >;

interface PaneParam {
  /** What in the address opens the pane; default `open`. */
  readonly param?: "open" | "row" | undefined;
}

export interface MessagePaneProps extends PaneParam {
  readonly side: "outbox" | "inbox";
  readonly message: PaneMessage;
  /** By which sender and receiver know it. */
  readonly messageId: string;
  readonly clauses: readonly ClauseProps[];
  /** Where it goes or came from. */
  readonly place: readonly Fact[];
  /** Its moments by name; one that has not been is left out. */
  readonly times: Readonly<Record<string, string | undefined>>;
  /** What its consumer said of it. */
  readonly result?: string | undefined;
  /** Value of `dialog=` that requeues it; default `requeue:<id>`. */
  readonly dialog?: string | undefined;
}

/** The current message, beside the list: verdict, chain, what is known. */
export function MessagePane(props: MessagePaneProps) {
  const { side, message, clauses, dialog, param } = props;
  const href = `/${side}/${message.id}`;
  const requeue = message.state === "dead" ? message.actions.find(({ action }) => action === "requeue") : undefined;
  return (
    <>
      <Walk href={href} param={param} />
      <div className={styles["head"]}>
        <b>{message.type}</b>
        <StateTag name={message.state} />
      </div>
      <Verdict as="h2" size="pane" clauses={clauses} />
      <div className={styles["chain"]}>
        <Chain stations={message.chain.stations} gap={message.chain.gap} compact />
      </div>
      <div className={styles["block"]}>
        <h3>Facts</h3>
        <DataList right items={messageFacts(props)} />
      </div>
      <div className={styles["actions"]}>
        <ButtonLink wide href={href}>
          Open page
        </ButtonLink>
        {requeue !== undefined && (
          <RequeueButton
            primary
            name={dialog ?? `requeue:${message.id}`}
            whyNot={requeue.allowed ? undefined : (requeue.whyNot ?? "Not offered now.")}
          />
        )}
      </div>
    </>
  );
}

function messageFacts({ message, messageId, place, times, result }: MessagePaneProps): readonly Fact[] {
  const { state, at, attempts, maxAttempts, nextAttemptAt, errorCode } = message;
  const waits = state === "pending" || state === "recorded";
  return [
    { name: "Message", value: <Id value={messageId} mark /> },
    { name: "Operation", value: <OperationLink id={message.operationId} /> },
    ...place,
    { name: "Attempts", value: <AttemptMeter attempts={attempts} max={maxAttempts} dead={state === "dead"} /> },
    ...Object.entries(times).flatMap(([name, time]) =>
      time === undefined ? [] : [{ name, value: <Time at={time} now={at} form="millis" /> }],
    ),
    ...(waits ? [{ name: "Next try", value: untilText(nextAttemptAt, at) }] : []),
    ...(result === undefined ? [] : [{ name: "Result", value: result }]),
    ...(errorCode === undefined ? [] : [{ name: "Last error", value: errorCode }]),
  ];
}

/** The address names a message that is not there, or did not load. */
export function NoMessage({ param = "open" }: PaneParam) {
  return (
    <>
      <Walk param={param} />
      <p className={styles["none"]}>
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
      <PlaceLink place={{ [param ?? "open"]: undefined }}>Close</PlaceLink>
    </div>
  );
}
