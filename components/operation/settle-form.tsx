"use client";

import { useEffect, useState, type SyntheticEvent, type SubmitEvent } from "react";
import { ActionAnswerView } from "@/components/feedback/action-answer";
import { DecisionEnd } from "@/components/feedback/decision-box";
import { useDoneLine } from "@/components/feedback/done-line";
import { fieldText } from "@/components/feedback/modal-dialog";
import { isStepUpField, StepUp } from "@/components/feedback/step-up";
import { useAdminAction } from "@/components/feedback/use-admin-action";
import { Button } from "@/components/ui/button";
import { useZone } from "@/components/ui/values/use-zone";
import { settleFoot } from "@/presentation/operation/decision-claims";
import { serviceFoot } from "@/presentation/operation/service-request";
import { formatClock } from "@/presentation/format/display-time";
import type { SettleOption } from "./settle-options";
import styles from "./operation.module.css";

export interface SettleFormProps {
  readonly path: string;
  readonly options: readonly SettleOption[];
  /** What may be attached; all of it is, until a person takes some away. */
  readonly evidence: readonly EvidenceItem[];
  readonly askable: boolean;
  /** Whether the provider's own reference is not known yet: a refund names it later. */
  readonly needsReference: boolean;
  /** It is as much: a decision is asked for, and a second person approves it. */
  readonly secondPersonFrom?: string | undefined;
  /** Settles it when it is asked to; undefined: it is settled here. */
  readonly service?: string | undefined;
}

type Decision = SettleOption["decision"];
const VERBS: Readonly<Record<Decision, string>> = {
  succeeded: "Settle: it succeeded",
  failed: "Settle: it failed",
  keep_waiting: "Keep waiting",
};

/** Of a refusal: more than one person decides alone. */
const PLAN_NEEDED = "plan.needed";
const ASK_SECOND = "Ask a second person";

/** A person decides with evidence and a reason. Nothing is chosen for them. */
export function SettleForm(props: SettleFormProps) {
  const { path, options, evidence, askable, needsReference, secondPersonFrom } = props;
  const action = useAdminAction();
  const { busy, answer, begin, send } = action;
  const [decision, setDecision] = useState<Decision>();
  const keep = useDoneLine();
  useEffect(begin, [begin]);
  // A settled operation needs no form: its answer must outlive this one.
  useEffect(() => {
    if (answer?.kind === "done") keep?.(answer.message);
  }, [answer, keep]);
  const off = options.every((option) => option.off);
  // Also where it is too much together with what the same person did one by one: the server knows.
  const asks =
    decision !== undefined &&
    decision !== "keep_waiting" &&
    (secondPersonFrom !== undefined || (answer?.kind === "refused" && answer.code === PLAN_NEEDED));
  const verb = decision === undefined ? undefined : asks ? ASK_SECOND : VERBS[decision];

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (decision === undefined) return;
    const form = new FormData(event.currentTarget);
    const reference = fieldText(form, "providerReference");
    const attached = form.getAll("evidence").filter((ref) => typeof ref === "string");
    void send(asks ? `${path.replace(/\/resolve$/, "")}/propose-resolution` : path, {
      decision,
      evidence: [...attached, fieldText(form, "other")].filter((ref) => ref !== ""),
      reason: fieldText(form, "reason"),
      ...(reference !== "" && { providerReference: reference }),
    });
  };
  // Another decision is another command: it gets a key of its own.
  const changed = (event: SyntheticEvent): void => {
    if (answer !== undefined && answer.kind !== "no-answer" && !isStepUpField(event.target)) begin();
  };

  return (
    <form onSubmit={submit} onChange={changed}>
      <Options options={options} onChoose={setDecision} />
      <SettleEvidence
        evidence={evidence}
        askable={askable}
        wantsReference={needsReference && decision === "succeeded"}
        off={off}
      />
      <DecisionEnd
        id="settle-reason"
        off={off}
        note={footNote(action.whyOff, props)}
        answer={
          <>
            <StepUp action={action} verb={verb ?? "Settle"} />
            {(answer?.kind !== "done" || keep === undefined) && <ActionAnswerView answer={answer} />}
          </>
        }
      >
        <Button
          primary
          wide
          type="submit"
          disabled={off || busy || answer?.kind === "confirm"}
          notOffered={action.whyOff}
        >
          {busy ? "Waiting for the answer" : (verb ?? "Settle 1 operation")}
        </Button>
      </DecisionEnd>
    </form>
  );
}

function footNote(
  whyOff: string | undefined,
  { secondPersonFrom, service }: Pick<SettleFormProps, "secondPersonFrom" | "service">,
): string {
  return (
    whyOff ?? (service === undefined ? settleFoot({ secondPersonFrom }) : serviceFoot({ service, secondPersonFrom }))
  );
}

interface OptionsProps extends Pick<SettleFormProps, "options"> {
  readonly onChoose: (decision: Decision) => void;
}

function Options({ options, onChoose }: OptionsProps) {
  return (
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
              onChoose(option.decision);
            }}
          />
          <b>{option.label}</b>
          <small>{option.text}</small>
        </label>
      ))}
    </fieldset>
  );
}

interface EvidenceItem {
  readonly ref: string;
  readonly label: string;
  readonly at?: string | undefined;
}

interface SettleEvidenceProps {
  readonly evidence: readonly EvidenceItem[];
  readonly askable: boolean;
  readonly wantsReference: boolean;
  readonly off: boolean;
}

const MAX_TEXT = 500;

/** What a decision rests on: what the sources say, and what the person saw elsewhere, where no source can say it. */
function SettleEvidence({ evidence, askable, wantsReference, off }: SettleEvidenceProps) {
  const zone = useZone();
  return (
    <>
      <span className="label">Evidence to attach</span>
      {evidence.length === 0 && (
        <p className="note">
          No source says anything{askable ? " yet. Ask the provider first, or name" : ". Name"} what you have seen.
        </p>
      )}
      {evidence.map((item) => (
        <label key={item.ref} className={styles["attach"]}>
          <input type="checkbox" name="evidence" value={item.ref} defaultChecked disabled={off} />
          <span>
            {item.label}
            {item.at !== undefined && <i>, {formatClock(item.at, zone)}</i>}
          </span>
        </label>
      ))}
      <TextLine name="other" label="Evidence from elsewhere" hint="Provider's statement, line 7" off={off} />
      {wantsReference && (
        <TextLine
          name="providerReference"
          label="Provider's reference, if the evidence names it"
          hint="A refund is made against it"
          off={off}
        />
      )}
    </>
  );
}

interface TextLineProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly off: boolean;
}

function TextLine({ name, label, hint, off }: TextLineProps) {
  return (
    <label>
      <span className="label">{label}</span>
      <input name={name} className={styles["line"]} placeholder={hint} maxLength={MAX_TEXT} disabled={off} />
    </label>
  );
}
