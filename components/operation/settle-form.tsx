"use client";

import { useEffect, useState, type SubmitEvent } from "react";
import { ActionAnswerView } from "@/components/feedback/action-answer";
import { useDoneLine } from "@/components/feedback/done-line";
import { useAdminAction } from "@/components/feedback/use-admin-action";
import { Button } from "@/components/ui/button";
import { useZone } from "@/components/ui/use-zone";
import { formatClock } from "@/domain/display-time";
import type { SettleOption } from "./settle-options";
import styles from "./operation.module.css";

export interface SettleFormProps {
  readonly path: string;
  readonly options: readonly SettleOption[];
  /** What may be attached; all of it is, until a person takes some away. */
  readonly evidence: readonly { readonly ref: string; readonly label: string; readonly at?: string | undefined }[];
  readonly secondPersonFrom?: string | undefined;
}

type Decision = SettleOption["decision"];
const VERBS: Readonly<Record<Decision, string>> = {
  succeeded: "Settle: it succeeded",
  failed: "Settle: it failed",
  keep_waiting: "Keep waiting",
};
const MAX_REASON = 500;

/** A person decides with evidence and a reason. Nothing is chosen for them. */
export function SettleForm({ path, options, evidence, secondPersonFrom }: SettleFormProps) {
  const { busy, answer, begin, send } = useAdminAction();
  const [decision, setDecision] = useState<Decision>();
  const keep = useDoneLine();
  useEffect(begin, [begin]);
  // A settled operation needs no form: its answer must outlive this one.
  useEffect(() => {
    if (answer?.kind === "done") keep?.(answer.message);
  }, [answer, keep]);
  const off = options.every((option) => option.off);

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (decision === undefined) return;
    const form = new FormData(event.currentTarget);
    const reason = form.get("reason");
    const attached = form.getAll("evidence").filter((ref) => typeof ref === "string");
    void send(path, { decision, evidence: attached, reason: typeof reason === "string" ? reason.trim() : "" });
  };
  // Another decision is another command: it gets a key of its own.
  const changed = (): void => {
    if (answer !== undefined && answer.kind !== "no-answer") begin();
  };

  return (
    <form onSubmit={submit} onChange={changed}>
      <fieldset className={styles["options"]}>
        <legend>What happened</legend>
        {options.map((option) => (
          <label key={option.decision} className={styles["option"]} data-off={option.off || undefined}>
            <input
              type="radio"
              name="decision"
              value={option.decision}
              required
              disabled={option.off}
              onChange={() => {
                setDecision(option.decision);
              }}
            />
            <b>{option.label}</b>
            <small>{option.text}</small>
          </label>
        ))}
      </fieldset>
      <Attach evidence={evidence} off={off} />
      <label className={styles["label"]} htmlFor="settle-reason">
        Reason, kept in the audit
      </label>
      <textarea
        id="settle-reason"
        name="reason"
        className={styles["reason"]}
        required
        maxLength={MAX_REASON}
        disabled={off}
      />
      <div className={styles["submit"]}>
        <Button primary wide type="submit" disabled={off || busy}>
          {busy ? "Waiting for the answer" : decision === undefined ? "Settle 1 operation" : VERBS[decision]}
        </Button>
      </div>
      <p className={styles["small"]}>
        {secondPersonFrom === undefined
          ? "Nothing is sent to the provider. A second click changes nothing."
          : `From ${secondPersonFrom} a second person approves.`}
      </p>
      <div className={styles["answer"]}>
        {(answer?.kind !== "done" || keep === undefined) && <ActionAnswerView answer={answer} />}
      </div>
    </form>
  );
}

function Attach({ evidence, off }: Pick<SettleFormProps, "evidence"> & { readonly off: boolean }) {
  const zone = useZone();
  return (
    <>
      <span className={styles["label"]}>Evidence to attach</span>
      {evidence.length === 0 && <p className={styles["small"]}>No source says anything yet. Ask the provider first.</p>}
      {evidence.map((item) => (
        <label key={item.ref} className={styles["attach"]}>
          <input type="checkbox" name="evidence" value={item.ref} defaultChecked disabled={off} />
          <span>
            {item.label}
            {item.at !== undefined && <i>, {formatClock(item.at, zone)}</i>}
          </span>
        </label>
      ))}
    </>
  );
}
