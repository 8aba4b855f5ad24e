"use client";

import { useState, type SubmitEvent } from "react";
import { ActionAnswerView } from "@/components/feedback/action-answer";
import dialogStyles from "@/components/feedback/action-dialog.module.css";
import { DialogField, REASON_FIELD } from "@/components/feedback/dialog-field";
import { DialogLine, ModalDialog, fieldText } from "@/components/feedback/modal-dialog";
import { StepUp } from "@/components/feedback/step-up";
import { useAdminAction, type AdminAction } from "@/components/feedback/use-admin-action";
import { Button } from "@/components/ui/button";
import { JsonView } from "@/components/ui/values/json-view";
import { goToPlace, usePlace } from "@/components/ui/place";
import styles from "./operation.module.css";

interface RevealDialogProps {
  readonly path: string;
  readonly notOffered?: string | undefined;
}

const TITLE_ID = "reveal-title";

/** Shows the stored command and response to a person who says why; closing forgets them. */
export function RevealDialog(props: RevealDialogProps) {
  const { query, hrefOf } = usePlace();
  const action = useAdminAction();
  const leave = (): void => {
    goToPlace(hrefOf({ dialog: undefined }), "replace");
  };
  return (
    <ModalDialog open={query.get("dialog") === "reveal"} begin={action.begin} leave={leave} titleId={TITLE_ID}>
      <RevealForm {...props} action={action} leave={leave} />
    </ModalDialog>
  );
}

interface RevealFormProps extends RevealDialogProps {
  readonly action: AdminAction;
  readonly leave: () => void;
}

function RevealForm({ path, action, leave, ...props }: RevealFormProps) {
  // They live in this component's memory and nowhere else.
  const [bodies, setBodies] = useState<Readonly<Record<string, unknown>>>();
  const { busy, answer } = action;
  const notOffered = props.notOffered ?? action.whyOff;
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void action.send(path, { reason: fieldText(new FormData(event.currentTarget), "reason") }).then(setBodies);
  };
  const closed = bodies === undefined;
  return (
    <form onSubmit={submit}>
      <div className={dialogStyles["inside"]}>
        <h2 id={TITLE_ID}>{closed ? "Show the bodies of 1 operation?" : "Bodies of 1 operation"}</h2>
        {closed ? (
          <>
            <Before />
            <ActionAnswerView answer={answer} />
            <StepUp action={action} verb="Show 1 command" onDone={setBodies} />
          </>
        ) : (
          <div className={styles["bodies"]}>
            <Body label="Command" text={bodies["command"]} />
            <Body label="Response" text={bodies["response"]} />
          </div>
        )}
      </div>
      <div className={dialogStyles["foot"]}>
        <span>{notOffered ?? (closed ? "Looking is written down." : "Closing forgets them here.")}</span>
        <Button onClick={leave}>{closed ? "Cancel" : "Close"}</Button>
        {closed && (
          <Button primary type="submit" disabled={busy || answer?.kind === "confirm"} notOffered={notOffered}>
            {busy ? "Waiting for the answer" : "Show 1 command"}
          </Button>
        )}
      </div>
    </form>
  );
}

function Before() {
  return (
    <>
      <dl>
        <DialogLine name="Effect">The stored command and response are opened for you alone, here.</DialogLine>
        <DialogLine name="Not done">
          Nothing changes for callers. Your name, the time and the reason go into the audit, never the bodies.
        </DialogLine>
      </dl>
      <DialogField field={REASON_FIELD} />
    </>
  );
}

function Body({ label, text }: { readonly label: string; readonly text: unknown }) {
  return (
    <div>
      <h3>{label}</h3>
      {typeof text === "string" ? <JsonView label={label} text={text} openTo={Infinity} /> : <p>none is stored</p>}
    </div>
  );
}
