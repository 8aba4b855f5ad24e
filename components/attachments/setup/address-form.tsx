"use client";

import { useId, useState, type SubmitEvent } from "react";
import { ActionAnswerView } from "@/components/feedback/action-answer";
import { fieldText } from "@/components/feedback/modal-dialog";
import { StepUp } from "@/components/feedback/step-up";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import type { Look } from "./use-look";
import styles from "./setup.module.css";

const URL_MAX = 2_000;
const NAME_MAX = 63;

/** Asks for the address of a database. It is sent in a body, is in no address of a page and is forgotten with it. */
export function AddressForm({ look, whyNot }: { readonly look: Look; readonly whyNot: string | undefined }) {
  const { action, choice, ask, answered, found } = look;
  const [url, setUrl] = useState("");
  const id = useId();
  const off = whyNot ?? action.whyOff;
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (off !== undefined || action.busy || url.trim() === "") return;
    const form = new FormData(event.currentTarget);
    const same = url === choice.url;
    ask({
      url,
      schema: fieldText(form, "schema") || undefined,
      role: fieldText(form, "role") || undefined,
      // What was chosen of another database says nothing of this one.
      ...(!same && { preset: undefined, in: undefined, map: undefined, constants: {} }),
    });
  };
  return (
    <Section title="Database" note="a login that is no superuser; a read-only one is enough to look" space="small">
      <form className={styles["address"]} onSubmit={submit} autoComplete="off">
        <label htmlFor={id}>Address</label>
        <div className={styles["line"]}>
          <input
            id={id}
            className="box field"
            type="password"
            autoComplete="off"
            spellCheck={false}
            maxLength={URL_MAX}
            required
            value={url}
            placeholder="postgres://login:password@host:5432/database"
            aria-describedby={`${id}-note`}
            onChange={(event) => {
              setUrl(event.currentTarget.value);
            }}
          />
          <Button primary type="submit" disabled={action.busy} notOffered={off}>
            {action.busy ? "Looking" : found === undefined ? "Look" : "Look again"}
          </Button>
        </div>
        <p className="note" id={`${id}-note`}>
          It is in no address of this page, and kept only once the database is attached, sealed. Looking connects from
          the server of this console, reads, and changes nothing.
        </p>
        <details className={styles["more"]}>
          <summary>Another schema or login</summary>
          <div className={styles["fields"]}>
            <label>
              <span>Schema that the SQL makes</span>
              <input className="box field" name="schema" defaultValue={choice.schema} maxLength={NAME_MAX} />
            </label>
            <label>
              <span>Login that the SQL names, if another</span>
              <input className="box field" name="role" autoComplete="off" maxLength={NAME_MAX} />
            </label>
          </div>
        </details>
        {off !== undefined && <p className="note">{off}</p>}
      </form>
      {action.answer?.kind !== "done" && <ActionAnswerView answer={action.answer} />}
      <StepUp action={action} verb="Look" onDone={answered} />
    </Section>
  );
}
