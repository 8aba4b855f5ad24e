"use client";

import { useRouter } from "@/components/navigation/router";
import { type SubmitEvent, useDeferredValue, useId, useRef, useState } from "react";
import { differingFieldsWords } from "@/presentation/message/message-dialog-claims";
import { ActionAnswerView } from "@/components/feedback/action-answer";
import { DialogField, REASON_FIELD } from "@/components/feedback/dialog-field";
import { fieldText } from "@/components/feedback/modal-dialog";
import { isStepUpField, StepUp } from "@/components/feedback/step-up";
import { useAdminAction } from "@/components/feedback/use-admin-action";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { formatExact, parseExact } from "@/domain/idempotency/exact-json";
import { checkCorrection, type BodyChange, type BodyProblem } from "@/domain/messages/correction";
import { ChangeTable } from "./change-table";
import styles from "./corrections.module.css";

export interface CorrectFormProps {
  readonly messageId: string;
  readonly operationId: string | undefined;
  /** Why it cannot be corrected now, by this person or at all. */
  readonly notOffered: string | undefined;
}

/** First the stored body is shown, for a reason that is kept; then it is edited beside what differs. Nothing is sent from here. */
export function CorrectForm(props: CorrectFormProps) {
  const [opened, setOpened] = useState<{ readonly body: string; readonly reason: string }>();
  return opened === undefined ? <ShowBody {...props} onShown={setOpened} /> : <Editor {...props} {...opened} />;
}

interface ShowBodyProps extends CorrectFormProps {
  readonly onShown: (opened: { readonly body: string; readonly reason: string }) => void;
}

function ShowBody({ messageId, notOffered, onShown }: ShowBodyProps) {
  const action = useAdminAction();
  const { busy, answer, send, whyOff } = action;
  const why = notOffered ?? whyOff;
  const asked = useRef("");
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (why !== undefined) return;
    const reason = fieldText(new FormData(event.currentTarget), "reason");
    const path = `/api/v1/admin/outbox/${messageId}/reveal`;
    asked.current = reason;
    void send(path, { reason }).then(show);
  };
  const show = (done: Readonly<Record<string, unknown>> | undefined): void => {
    if (typeof done?.["body"] === "string") onShown({ body: done["body"], reason: asked.current });
  };
  return (
    <form
      onSubmit={submit}
      onChange={(event) => {
        if (!isStepUpField(event.target)) action.begin();
      }}
      className={styles["narrow"]}
      aria-label="Show the body"
    >
      <DialogField field={REASON_FIELD} />
      <ActionAnswerView answer={answer?.kind === "done" ? undefined : answer} />
      <StepUp action={action} verb="Show the body" onDone={show} />
      <div className={styles["foot"]}>
        <Button primary type="submit" disabled={busy} notOffered={why}>
          {busy ? "Waiting for the answer" : "Show and edit the body"}
        </Button>
        <span className="small quiet">{why ?? "Your name, the time and the reason go into the audit."}</span>
      </div>
    </form>
  );
}

interface EditorProps extends CorrectFormProps {
  /** As it is stored. */
  readonly body: string;
  readonly reason: string;
}

export function Editor({ messageId, operationId, notOffered, body, reason }: EditorProps) {
  const first = formatExact(parseExact(body));
  const [text, setText] = useState(first);
  const shown = useDeferredValue(text);
  const { problem, changes } = checkCorrection({ body, operationId }, shown);
  const router = useRouter();
  const action = useAdminAction();
  const { busy, answer, send, whyOff } = action;
  const id = useId();
  const proposed = answer?.kind === "done" || answer?.kind === "already";
  const why = notOffered ?? whyOff ?? problem?.text;
  const write = (next: string): void => {
    action.begin();
    setText(next);
  };
  const follow = (done: Readonly<Record<string, unknown>> | undefined): void => {
    if (typeof done?.["href"] === "string") router.push(done["href"]);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // What is sent is what was compared.
    if (why !== undefined || shown !== text) return;
    const given = fieldText(new FormData(event.currentTarget), "reason");
    void send(`/api/v1/admin/outbox/${messageId}/correct`, { body: text, reason: given }).then(follow);
  };
  return (
    <form
      onSubmit={submit}
      onChange={(event) => {
        if (!isStepUpField(event.target)) action.begin();
      }}
      className={styles["form"]}
      aria-label="Edit and requeue"
    >
      <div className={styles["editor"]}>
        <BodyField id={id} text={text} first={first} wrong={isWrong(problem)} write={write} />
        <Difference id={`${id}-problem`} problem={problem} changes={changes} />
      </div>
      <div className={styles["narrow"]}>
        <DialogField field={{ ...REASON_FIELD, initial: reason }} />
        <ActionAnswerView answer={answer} />
        <StepUp action={action} verb="Ask for approval" onDone={follow} />
        <div className={styles["foot"]}>
          <Button primary type="submit" disabled={busy || proposed || answer?.kind === "confirm"} notOffered={why}>
            {busy ? "Waiting for the answer" : "Ask for approval"}
          </Button>
          <span className="small quiet">
            {notOffered ?? whyOff ?? "It is sent only when a second person approves it."}
          </span>
        </div>
      </div>
    </form>
  );
}

interface BodyFieldProps {
  readonly id: string;
  readonly text: string;
  /** As it is stored. */
  readonly first: string;
  readonly wrong: boolean;
  readonly write: (text: string) => void;
}

function BodyField({ id, text, first, wrong, write }: BodyFieldProps) {
  return (
    <div>
      <label className={styles["label"]} htmlFor={id}>
        Corrected body, JSON
      </label>
      <textarea
        id={id}
        className={`box field ${styles["body"] ?? ""}`}
        value={text}
        onChange={({ target }) => {
          write(target.value);
        }}
        spellCheck={false}
        autoComplete="off"
        autoFocus
        aria-invalid={wrong || undefined}
        aria-describedby={`${id}-problem`}
      />
      <div className={styles["foot"]}>
        <Button
          small
          notOffered={text === first ? "Nothing is changed yet." : undefined}
          onClick={() => {
            write(first);
          }}
        >
          Undo all changes
        </Button>
      </div>
    </div>
  );
}

interface DifferenceProps {
  readonly id: string;
  readonly problem: BodyProblem | undefined;
  readonly changes: readonly BodyChange[];
}

function Difference({ id, problem, changes }: DifferenceProps) {
  return (
    <div className={styles["difference"]}>
      <Section title="Difference" note="live, nothing is sent" space="none">
        <p id={id} role="status" className={styles["problem"]} data-quiet={!isWrong(problem) || undefined}>
          {problem === undefined ? differingFieldsWords(changes.length) : problemWords(problem)}
        </p>
        {changes.length > 0 && <ChangeTable changes={changes} values />}
      </Section>
    </div>
  );
}

function isWrong(problem: BodyProblem | undefined): boolean {
  return problem !== undefined && problem.code !== "unchanged";
}

function problemWords({ text, paths = [] }: BodyProblem): string {
  return paths.length === 0 ? text : `${text} ${paths.join(", ")}.`;
}
