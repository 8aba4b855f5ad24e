"use client";

import { useEffect, useId, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import type { AdminAction, StepUpProof } from "./use-admin-action";
import styles from "./step-up.module.css";

export interface StepUpProps {
  readonly action: Pick<AdminAction, "answer" | "busy" | "confirm">;
  /** What the button says: the verb that waits. */
  readonly verb: string;
  readonly onDone?: ((answer: Readonly<Record<string, unknown>>) => void) | undefined;
}

const PASSWORD_MAX = 128;
const CODE_MAX = 32;

/**
 * Asks the person to prove again who they are, inside the dialog or form whose command waits; then that command is sent again
 * under its first key. Nothing else on the page is lost.
 */
export function StepUp({ action, verb, onDone }: StepUpProps) {
  const { answer, busy, confirm } = action;
  const by = answer?.kind === "confirm" ? answer.by : [];
  const [way, setWay] = useState<"password" | "code">();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const asked = answer?.kind === "confirm";
  useEffect(() => {
    if (!asked) return;
    field.current?.focus();
    // On a low screen the button under the field would stay below the edge of the dialog.
    field.current?.closest("[data-step-up]")?.scrollIntoView({ block: "nearest" });
  }, [asked, way]);
  if (!asked) return null;
  const chosen = way ?? (by.includes("password") ? "password" : "code");
  if (!by.includes("password") && !by.includes("code")) {
    return (
      <div className={styles["ask"]} role="status">
        <p>Sign out and in again: signing in confirms your identity.</p>
      </div>
    );
  }
  const prove = (): void => {
    const entered = field.current?.value.trim() ?? "";
    if (entered === "" || busy) return;
    const proof: StepUpProof = chosen === "password" ? { password: field.current?.value ?? "" } : { code: entered };
    void confirm(proof).then((done) => {
      if (field.current !== null) field.current.value = "";
      if (done !== undefined) onDone?.(done);
    });
  };
  return (
    <div className={styles["ask"]} data-step-up>
      <p role="alert">{answer.message}</p>
      <label htmlFor={id}>
        {chosen === "password" ? "Your password" : "Code of your authenticator, or a backup code"}
      </label>
      <div className={styles["line"]}>
        <input
          key={chosen}
          ref={field}
          id={id}
          type={chosen === "password" ? "password" : "text"}
          autoComplete={chosen === "password" ? "current-password" : "one-time-code"}
          maxLength={chosen === "password" ? PASSWORD_MAX : CODE_MAX}
          // Enter must not send the form around it: its command waits for this.
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            prove();
          }}
        />
        <Button primary disabled={busy} onClick={prove}>
          {busy ? "Waiting for the answer" : `Confirm: ${verb}`}
        </Button>
      </div>
      {by.includes("password") && by.includes("code") && (
        <button
          type="button"
          className={styles["other"]}
          onClick={() => {
            setWay(chosen === "password" ? "code" : "password");
          }}
        >
          {chosen === "password" ? "Use a code instead" : "Use the password instead"}
        </button>
      )}
    </div>
  );
}

/** What waits was another command: whoever changes the form around the question begins anew. */
export function isStepUpField(target: EventTarget): boolean {
  return target instanceof Element && target.closest("[data-step-up]") !== null;
}
