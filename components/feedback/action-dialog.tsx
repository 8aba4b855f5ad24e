"use client";

import { useRouter } from "next/navigation";
import { useCallback, useId, useState, type ReactNode, type SubmitEvent } from "react";
import { Button } from "@/components/ui/button";
import { goToPlace, usePlace } from "@/components/ui/place";
import { ActionAnswerView } from "./action-answer";
import { DialogField, REASON_FIELD, type ActionField } from "./dialog-field";
import { useDoneLine } from "./done-line";
import { DialogLine, ModalDialog, fieldText } from "./modal-dialog";
import { isStepUpField, StepUp } from "./step-up";
import { useAdminAction } from "./use-admin-action";
import styles from "./action-dialog.module.css";

export interface ActionDialogProps {
  /** Query parameter that opens it. Default `dialog`. */
  readonly param?: string | undefined;
  /** Its value for this dialog, e.g. `reconcile:01a1…`. */
  readonly name: string;
  /** Verb, count and consequence as a question. */
  readonly title: string;
  readonly effect: ReactNode;
  readonly evidence?: ReactNode;
  readonly notDone: ReactNode;
  /** Default "None of 1." */
  readonly skipped?: ReactNode;
  /** The verb with its count, without a full stop: "Close 1 message". */
  readonly verb: string;
  /** Path of the admin API that acts. */
  readonly path: string;
  /** Sent with every answer of the form. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /** Turns the fields' answers into what is sent. */
  readonly toBody?: ((fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) | undefined;
  /** What the answer brings beyond its message, e.g. a secret that is shown once. */
  readonly shown?: ((answer: Readonly<Record<string, unknown>>) => ReactNode) | undefined;
  /** What was made has a page of its own: goes to the `href` that the answer names. */
  readonly follow?: boolean | undefined;
  readonly reason?: "required" | "optional" | "none" | undefined;
  readonly fields?: readonly ActionField[] | undefined;
  /** Why it cannot be done now; the button stays visible and off. */
  readonly notOffered?: string | undefined;
}

/** Opened by the address, closed by going back to it without the parameter; neither reads the page. A second click changes nothing. */
export function ActionDialog(props: ActionDialogProps) {
  const { param = "dialog", name } = props;
  const { query, hrefOf } = usePlace();
  const action = useAdminAction();
  const open = query.get(param) === name;
  const titleId = useId();

  const keep = useDoneLine();
  const { answer } = action;
  const leave = useCallback(() => {
    if (answer?.kind === "done") keep?.(answer.message);
    goToPlace(hrefOf({ [param]: undefined }), "replace");
  }, [hrefOf, param, answer, keep]);

  return (
    <ModalDialog open={open} begin={action.begin} leave={leave} titleId={titleId}>
      <DialogForm {...props} titleId={titleId} action={action} leave={leave} />
    </ModalDialog>
  );
}

/** @returns the members of an answer that say something */
function presentMembers(answer: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined && value !== null));
}

interface DialogFormProps extends ActionDialogProps {
  readonly titleId: string;
  readonly action: ReturnType<typeof useAdminAction>;
  readonly leave: () => void;
}

function DialogForm({ titleId, action, leave, ...props }: DialogFormProps) {
  const { reason = "required", fields = [] } = props;
  const { busy, answer, send } = action;
  const notOffered = props.notOffered ?? action.whyOff;
  const router = useRouter();
  const [brought, setBrought] = useState<Readonly<Record<string, unknown>>>();
  const settled = answer?.kind === "done" || answer?.kind === "already";
  const show = (done: Readonly<Record<string, unknown>> | undefined): void => {
    // What is shown once is in one answer only, and the answers of two clicks come in any order.
    if (done !== undefined) setBrought((before) => ({ ...done, ...presentMembers(before) }));
    const href = done?.["href"];
    if (props.follow === true && typeof href === "string") router.push(href);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const asked: Record<string, unknown> = { ...props.body };
    for (const field of fields) {
      asked[field.name] = field.kind === "checkbox" ? form.get(field.name) !== null : fieldText(form, field.name);
    }
    const why = reason === "none" ? "" : fieldText(form, "reason");
    if (why !== "") asked["reason"] = why;
    void send(props.path, props.toBody?.(asked) ?? asked).then(show);
  };
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
          <DialogLine name="Skipped">{props.skipped ?? "None of 1."}</DialogLine>
        </dl>
        {fields.map((field) => (
          <DialogField key={field.name} field={field} />
        ))}
        {reason !== "none" && <DialogField field={{ ...REASON_FIELD, required: reason === "required" }} />}
        <ActionAnswerView answer={answer} />
        <StepUp action={action} verb={props.verb} onDone={show} />
        {settled && brought !== undefined && props.shown?.(brought)}
      </div>
      <div className={styles["foot"]}>
        <span>{notOffered ?? "A second click changes nothing."}</span>
        <Button onClick={leave}>{settled ? "Close" : "Cancel"}</Button>
        <Button primary type="submit" disabled={answer?.kind === "confirm"} notOffered={notOffered}>
          {busy ? "Waiting for the answer" : props.verb}
        </Button>
      </div>
    </form>
  );
}
