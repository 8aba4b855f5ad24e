"use client";

import { useEffect, useRef, type SubmitEvent } from "react";
import { ActionAnswerView } from "@/components/feedback/action-answer";
import dialogStyles from "@/components/feedback/action-dialog.module.css";
import { Button } from "@/components/ui/button";
import { JsonView } from "@/components/ui/values/json-view";
import { goToPlace, usePlace } from "@/components/ui/place";
import { useReveal } from "./use-reveal";
import shared from "@/components/ui/shared.module.css";
import styles from "./operation.module.css";

export interface RevealDialogProps {
  readonly path: string;
  readonly notOffered?: string | undefined;
}

const NAME = "reveal";
const MAX_REASON = 500;

/** Shows the stored command and response to a person who says why; closing forgets them. */
export function RevealDialog(props: RevealDialogProps) {
  const { query, hrefOf } = usePlace();
  const dialog = useRef<HTMLDialogElement>(null);
  const { busy, bodies, answer, whyOff, begin, reveal } = useReveal();
  const notOffered = props.notOffered ?? whyOff;
  const open = query.get("dialog") === NAME;

  useEffect(() => {
    const element = dialog.current;
    if (element === null || element.open === open) return;
    begin();
    if (!open) {
      element.close();
      return;
    }
    element.showModal();
    element.querySelector("textarea")?.focus();
  }, [open, begin]);

  const leave = (): void => {
    goToPlace(hrefOf({ dialog: undefined }), "replace");
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const reason = new FormData(event.currentTarget).get("reason");
    void reveal(props.path, typeof reason === "string" ? reason.trim() : "");
  };

  return (
    <dialog
      ref={dialog}
      className={dialogStyles["dialog"]}
      aria-labelledby="reveal-title"
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
    >
      {open && (
        <form onSubmit={submit}>
          <div className={dialogStyles["inside"]}>
            <h2 id="reveal-title">
              {bodies === undefined ? "Show the bodies of 1 operation?" : "Bodies of 1 operation"}
            </h2>
            {bodies === undefined ? <Before /> : <Bodies command={bodies.command} response={bodies.response} />}
            <ActionAnswerView answer={answer} />
          </div>
          <div className={dialogStyles["foot"]}>
            <span>
              {notOffered ?? (bodies === undefined ? "Looking is written down." : "Closing forgets them here.")}
            </span>
            <Button onClick={leave}>{bodies === undefined ? "Cancel" : "Close"}</Button>
            {bodies === undefined && (
              <Button primary type="submit" disabled={busy} notOffered={notOffered}>
                {busy ? "Waiting for the answer" : "Show 1 command"}
              </Button>
            )}
          </div>
        </form>
      )}
    </dialog>
  );
}

function Before() {
  return (
    <>
      <dl>
        <div>
          <dt>Effect</dt>
          <dd>The stored command and response are opened for you alone, here.</dd>
        </div>
        <div>
          <dt>Not done</dt>
          <dd>Nothing changes for callers. Your name, the time and the reason go into the audit, never the bodies.</dd>
        </div>
      </dl>
      <label className={dialogStyles["label"]} htmlFor="reveal-reason">
        Reason, kept in the audit
      </label>
      <textarea id="reveal-reason" name="reason" className={shared["field"]} required maxLength={MAX_REASON} rows={3} />
    </>
  );
}

interface BodiesProps {
  readonly command: string | undefined;
  readonly response: string | undefined;
}

function Bodies({ command, response }: BodiesProps) {
  return (
    <div className={styles["bodies"]}>
      <div>
        <h3>Command</h3>
        <Body label="Command" text={command} />
      </div>
      <div>
        <h3>Response</h3>
        <Body label="Response" text={response} />
      </div>
    </div>
  );
}

function Body({ label, text }: { readonly label: string; readonly text: string | undefined }) {
  return text === undefined ? <p>none is stored</p> : <JsonView label={label} text={text} openTo={Infinity} />;
}
