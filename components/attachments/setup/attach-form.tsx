"use client";

import { useId, useState, type SubmitEvent } from "react";
import { useRouter } from "@/components/navigation/router";
import { ActionAnswerView } from "@/components/feedback/action-answer";
import { StepUp } from "@/components/feedback/step-up";
import { useAdminAction } from "@/components/feedback/use-admin-action";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { ATTACHMENT_NAME, ATTACHMENT_NAME_RULE } from "@/domain/attachments/name";
import { whyNotAttach } from "@/presentation/attachments/look-verdict";
import type { LookView } from "@/presentation/views/attachments";
import type { LookChoice } from "./use-look";
import styles from "./setup.module.css";

const NAME_MAX = 40;
const LIST = "/settings/attachments";

interface AttachFormProps {
  readonly choice: LookChoice;
  readonly found: LookView;
}

/** Names the attachment and makes it; off until each check passes. */
export function AttachForm({ choice, found }: AttachFormProps) {
  const action = useAdminAction();
  const router = useRouter();
  const [name, setName] = useState(suggestedName(found.shown));
  const id = useId();
  const misnamed = ATTACHMENT_NAME.test(name.trim()) ? undefined : `The name ${ATTACHMENT_NAME_RULE}.`;
  const off = whyNotAttach(found) ?? misnamed ?? action.whyOff;
  const done = (body: Readonly<Record<string, unknown>> | undefined): void => {
    if (body !== undefined) router.push(LIST);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (off !== undefined || action.busy) return;
    // What was refused, and is sent with another name or after a check, is another command.
    if (action.answer?.kind === "refused" && action.answer.open !== true) action.begin();
    const { url } = choice;
    void action
      .send("/api/v1/admin/attachments", { name: name.trim(), url, schema: found.installed.schema })
      .then(done);
  };
  return (
    <Section title="Attach" note="its pages are in the switch of sources then" space="small">
      <form onSubmit={submit} className={styles["attach"]}>
        <label htmlFor={id}>Name, in addresses and menus</label>
        <div className={styles["line"]}>
          <input
            id={id}
            className="box field"
            autoComplete="off"
            maxLength={NAME_MAX}
            required
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              if (action.answer?.kind === "confirm") action.begin();
            }}
          />
          <Button primary type="submit" disabled={action.busy || action.answer?.kind === "confirm"} notOffered={off}>
            {action.busy ? "Waiting for the answer" : "Attach"}
          </Button>
        </div>
        <p className="note">{off ?? "Its address is sealed and not shown again."}</p>
        <ActionAnswerView answer={action.answer} />
        <StepUp action={action} verb="Attach" onDone={done} />
      </form>
    </Section>
  );
}

/** The database's own name, as far as a name may be like it. @param shown `host:port/database` */
function suggestedName(shown: string): string {
  const database = shown.slice(shown.lastIndexOf("/") + 1).toLowerCase();
  return database
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, NAME_MAX)
    .replace(/^-+|-+$/g, "");
}
