"use client";

import { useRouter } from "@/components/navigation/router";
import { useCallback, useId, useState, type ReactNode, type SubmitEvent } from "react";
import { Button } from "@/components/ui/button";
import { goToPlace, usePlace } from "@/components/ui/place";
import { SecretOnce } from "@/components/ui/secret-once";
import { ActionAnswerView } from "./action-answer";
import { bodyWith, DialogField, REASON_FIELD, sentFields, type ActionField } from "./dialog-field";
import { useDoneLine } from "./done-line";
import { DialogLine, ModalDialog } from "./modal-dialog";
import { isStepUpField, StepUp } from "./step-up";
import { Notice } from "./notice";
import { useAdminAction } from "./use-admin-action";
import { useAsOpened, useDialog } from "./use-dialog";
import styles from "./action-dialog.module.css";

/** What a dialog says, and what it sends. */
export interface DialogWords {
  /** Verb, count and consequence as a question. */
  readonly title: string;
  readonly effect: ReactNode;
  readonly evidence?: ReactNode;
  readonly notDone: ReactNode;
  /** Default "None of 1."; false where something is made, so that there is nothing to skip. */
  readonly skipped?: ReactNode;
  /** The verb with its count, without a full stop: "Close 1 message". */
  readonly verb: string;
  /** Path of the admin API that acts. */
  readonly path: string;
  /** Sent with every answer of the form. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /** A member of the answer that is shown once: a key, a secret, a link. */
  readonly once?: { readonly member: string; readonly copy: string; readonly note: string } | undefined;
  /** What was made has a page of its own: goes to the `href` that the answer names. */
  readonly follow?: boolean | undefined;
  readonly reason?: "required" | "optional" | "none" | undefined;
  readonly fields?: readonly ActionField[] | undefined;
  /** Why it cannot be done now; the button stays visible and off. */
  readonly notOffered?: string | undefined;
}

export interface ActionDialogProps extends DialogWords {
  /** Value of `?dialog=` that opens it, e.g. `reconcile:01a1…`. */
  readonly name: string;
}

/** Opened by the address, closed by going back to it without the parameter; neither reads the page. A second click changes nothing. */
export function ActionDialog({ name, ...words }: ActionDialogProps) {
  return <AskedDialog name={name} words={useDialog().name === name ? words : undefined} />;
}

interface AskedDialogProps {
  readonly name: string;
  /** Undefined while the address asks for none, or for one of another component. */
  readonly words: DialogWords | undefined;
}

/**
 * The dialog that the address asks for, for a component that has several: one is open at a time. It shows what it was opened with, and
 * the answer to that; what has changed behind it meanwhile it says once, and then nothing can be sent from it.
 */
export function AskedDialog({ name, words: now }: AskedDialogProps) {
  const { hrefOf } = usePlace();
  const words = useAsOpened(name, now);
  const action = useAdminAction();
  const titleId = useId();
  const keep = useDoneLine();
  const { answer } = action;
  const leave = useCallback(() => {
    if (answer?.kind === "done") keep?.(answer.message);
    goToPlace(hrefOf({ dialog: undefined }), "replace");
  }, [hrefOf, answer, keep]);
  return (
    <ModalDialog open={words !== undefined} name={name} begin={action.begin} leave={leave} titleId={titleId}>
      {words !== undefined && (
        <DialogForm
          key={name}
          {...words}
          changed={whatChanged(words, now)}
          titleId={titleId}
          action={action}
          leave={leave}
        />
      )}
    </ModalDialog>
  );
}

const CHANGED = "Close it and look again.";
const TWICE = "A second click changes nothing.";
/** Of what was refused, or of which nothing is known, the next press may be the first that acts. */
const AGAIN = "The same key is sent again: it acts at most once.";

/** @returns in a sentence what has become of what a dialog asks; undefined while it would ask the same */
export function whatChanged(opened: DialogWords, now: DialogWords | undefined): string | undefined {
  if (now === undefined) return "It is no longer here.";
  if (now.notOffered !== opened.notOffered) return now.notOffered ?? "It can be done now.";
  if (now.title !== opened.title) return `Now it would ask: ${now.title}`;
  const sent = ({ path, body, verb }: DialogWords): string => JSON.stringify([path, body, verb]);
  return sent(now) === sent(opened) ? undefined : "What it would do has changed.";
}

/** @returns the members of an answer that say something */
function presentMembers(answer: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined && value !== null));
}

interface DialogFormProps extends DialogWords {
  /** What became of its subject since it was opened. */
  readonly changed: string | undefined;
  readonly titleId: string;
  readonly action: ReturnType<typeof useAdminAction>;
  readonly leave: () => void;
}

function DialogForm({ titleId, action, leave, ...props }: DialogFormProps) {
  const { reason = "required", fields = [] } = props;
  const { busy, answer, send } = action;
  const router = useRouter();
  const [brought, setBrought] = useState<Readonly<Record<string, unknown>>>();
  const settled = answer?.kind === "done" || answer?.kind === "already";
  // What an own press changed is its answer. Where none came, the same press may be sent again under its key.
  const isOpen = answer?.kind === "no-answer" || (answer?.kind === "refused" && answer.open === true);
  const changed = busy || settled || isOpen ? undefined : props.changed;
  const notOffered = props.notOffered ?? (changed === undefined ? action.whyOff : CHANGED);
  const show = (done: Readonly<Record<string, unknown>> | undefined): void => {
    // What is shown once is in one answer only, and the answers of two clicks come in any order.
    if (done !== undefined) setBrought((before) => ({ ...done, ...presentMembers(before) }));
    const href = done?.["href"];
    if (props.follow === true && typeof href === "string") router.push(href);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (props.notOffered !== undefined || changed !== undefined) return;
    const sent = sentFields(new FormData(event.currentTarget), fields);
    void send(props.path, bodyWith(props.body ?? {}, sent, fields)).then(show);
  };
  const { once } = props;
  const secret = once === undefined || !settled ? undefined : brought?.[once.member];
  return (
    <form
      onSubmit={submit}
      onChange={(event) => {
        if (answer?.kind === "confirm" && !isStepUpField(event.target)) action.begin();
      }}
    >
      <div className={styles["inside"]}>
        <h2 id={titleId}>{props.title}</h2>
        <dl>
          <DialogLine name="Effect">{props.effect}</DialogLine>
          {props.evidence !== undefined && <DialogLine name="Evidence">{props.evidence}</DialogLine>}
          <DialogLine name="Not done">{props.notDone}</DialogLine>
          {props.skipped !== false && <DialogLine name="Skipped">{props.skipped ?? "None of 1."}</DialogLine>}
        </dl>
        {fields.map((field) => (
          <DialogField key={field.name} field={field} />
        ))}
        {reason !== "none" && <DialogField field={{ ...REASON_FIELD, required: reason === "required" }} />}
        <ActionAnswerView answer={answer} />
        {changed !== undefined && (
          <Notice announce tone="doubt" title="This changed since you opened it." text={changed} />
        )}
        {changed === undefined && <StepUp action={action} verb={props.verb} onDone={show} />}
        {once !== undefined && typeof secret === "string" && (
          <SecretOnce secret={secret} copy={once.copy}>
            {once.note}
          </SecretOnce>
        )}
      </div>
      <div className={styles["foot"]}>
        <span>{notOffered ?? (answer === undefined || settled ? TWICE : AGAIN)}</span>
        <Button onClick={leave}>{settled ? "Close" : "Cancel"}</Button>
        <Button primary type="submit" disabled={answer?.kind === "confirm"} notOffered={notOffered}>
          {busy ? "Waiting for the answer" : props.verb}
        </Button>
      </div>
    </form>
  );
}
