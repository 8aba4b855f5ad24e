"use client";

import { requeueEffect } from "@/presentation/message/message-dialog-claims";
import { ActionDialog } from "@/components/feedback/action-dialog";
import { useDialogOf } from "@/components/feedback/use-dialog";
import type { MessageSide } from "@/domain/messages/side";

/** It may have left them, or died again since: the page is not read anew for a dialog. */
export const NOT_LISTED = "It is not among the dead messages on this page.";

export interface DeadMessage {
  readonly side: MessageSide;
  readonly id: string;
  /** The line that it is in, "payment 01a1…2f3c"; missing where the list does not know. */
  readonly line?: string | undefined;
  /** Topic or consumer, as people know it. */
  readonly place: string;
  readonly safe: string | undefined;
  /** Whether it would get through; missing where a requeue would send or handle nothing. */
  readonly outlook?: string | undefined;
  /** A consumer has it: it is closed as delivered, and not sent. */
  readonly closes?: true | undefined;
  /** Why a requeue, or a discard, would leave it alone now. */
  readonly whyNot: string | undefined;
  readonly discardNot?: string | undefined;
}

export interface RequeueDialogProps {
  readonly side: MessageSide;
  /** Value of `?dialog=`; default `requeue:<id>`. */
  readonly name?: string | undefined;
  readonly id: string;
  /** Missing: it left the list before the dialog was opened. */
  readonly row: DeadMessage | undefined;
  readonly whyNot?: string | undefined;
}

/** Effect, evidence and what will not happen, before a message goes again, or is closed where that is what a requeue does. */
export function RequeueDialog({ side, name, id, row, whyNot }: RequeueDialogProps) {
  return (
    <ActionDialog
      key={id}
      name={name ?? `requeue:${id}`}
      {...(row?.closes ? wordsClosing(row) : side === "outbox" ? wordsOut(row) : wordsIn(row))}
      evidence={row && [row.safe, row.outlook].filter((text) => text !== undefined).join(" ")}
      verb={row?.closes ? "Close 1 message" : "Requeue 1 message"}
      path={`/api/v1/admin/${side}/${id}/requeue`}
      notOffered={whyNot ?? (row === undefined ? NOT_LISTED : row.whyNot)}
    />
  );
}

function wordsOut(row: DeadMessage | undefined) {
  return {
    title: `Requeue 1 message${lineOf(row)}?`,
    effect: requeueEffect({ side: "outbox", place: row?.place }),
    notDone: "Its id and body stay the same. No payment is touched.",
  };
}

/** What a requeue does with a message that a consumer has already. */
function wordsClosing(row: DeadMessage) {
  return {
    title: `Close 1 message${lineOf(row)} as delivered?`,
    effect: "The message counts as published, and nothing waits behind it any more.",
    notDone: "It is not sent again, and no consumer handles it twice. No payment is touched.",
  };
}

function lineOf(row: DeadMessage | undefined): string {
  return row?.line === undefined ? "" : ` of ${row.line}`;
}

function wordsIn(row: DeadMessage | undefined) {
  return {
    title: row === undefined ? "Requeue 1 message?" : `Requeue 1 message, and let ${row.place} handle it again?`,
    effect: requeueEffect({ side: "inbox", place: row?.place }),
    notDone:
      "What a half-done attempt already wrote is not written twice: unique keys refuse it. Only a consumer that calls another system, as for the provider's webhooks, may call it again.",
  };
}

export interface RequeueDialogsProps {
  readonly side: MessageSide;
  readonly rows: readonly DeadMessage[];
  readonly whyNot?: string | undefined;
}

/** The dialog of `dialog=requeue:<id>` for a list. */
export function RequeueDialogs({ side, rows, whyNot }: RequeueDialogsProps) {
  const { verb, id, row } = useDialogOf(rows);
  return verb === "requeue" ? <RequeueDialog side={side} id={id} row={row} whyNot={whyNot} /> : null;
}
