"use client";

import { ActionAnswerView } from "@/components/feedback/action-answer";
import { DecisionBox, DecisionEnd, DecisionHead, Lean } from "@/components/feedback/decision-box";
import { Notice } from "@/components/feedback/notice";
import { Button } from "@/components/ui/button";
import type { PolicyField } from "@/domain/idempotency/policy";
import { riskOf } from "@/presentation/policy/policy-claims";
import { draftWords, inForceWords, movedWords } from "@/presentation/policy/policy-page-claims";
import { carryOver, settingsInWords, SETTINGS, shownSetting } from "@/presentation/policy/policy-words";
import type { OperationPolicyView } from "@/presentation/views/policies";
import { plural } from "@/presentation/format/words";
import { draftOf } from "./use-policy-form";
import type { PolicyFormState } from "./use-policy-form";
import styles from "./policies.module.css";

export function PolicyDecide(props: PolicyFormProps & { readonly form: PolicyFormState }) {
  const { view, form, notOffered, everywhereAfterSeconds } = props;
  const { draft, changed, moved, busy, answer } = form;
  const off = notOffered !== undefined;
  return (
    <DecisionBox tone="accent" label="Change this policy">
      <DecisionHead>Change</DecisionHead>
      <Lean>{draftWords({ changed: changed.length, kind: view.kind })}</Lean>
      {changed.length > 0 && <Changes view={view} form={form} />}
      {moved && <Moved version={view.version} form={form} />}
      <DecisionEnd
        id="policy-reason"
        off={off}
        note={notOffered ?? form.whyOff ?? inForceWords(everywhereAfterSeconds)}
        answer={
          answer !== undefined && answer.kind !== "done" ? (
            <ActionAnswerView
              answer={answer.kind === "refused" ? { ...answer, message: settingsInWords(answer.message) } : answer}
            />
          ) : undefined
        }
      >
        <Button
          primary
          wide
          type="submit"
          disabled={busy || changed.length === 0}
          notOffered={notOffered ?? form.whyOff}
        >
          {verb(busy, changed.length)}
        </Button>
        <Button
          wide
          disabled={off || Object.values(draft).every((text) => text === "")}
          onClick={() => {
            form.write(draftOf({}));
          }}
        >
          Empty all fields
        </Button>
      </DecisionEnd>
    </DecisionBox>
  );
}

function verb(busy: boolean, count: number): string {
  if (busy) return "Waiting for the answer";
  return count === 0 ? "Nothing to change" : `Change ${plural(count, "setting")}`;
}

function Moved({ version, form }: { readonly version: number; readonly form: PolicyFormState }) {
  return (
    <Notice
      tone="doubt"
      title={movedWords(version)}
      text="The fields still show what you wrote."
      actions={
        <Button small onClick={form.takeNewest}>
          Show theirs
        </Button>
      }
    />
  );
}

function Changes({ view, form }: { readonly view: OperationPolicyView; readonly form: PolicyFormState }) {
  const { policy, changed } = form;
  return (
    <>
      <ul className={styles["changes"]}>
        {changed.map((field) => {
          const risk = policy[field] === view.policy[field] ? undefined : riskOf(field, { ...view, policy });
          return (
            <li key={field}>
              <span className="note block">{SETTINGS[field].label}</span>
              <b>
                {shownSetting(field, view.policy[field])} → {after(field, form)}
              </b>
              {risk !== undefined && <small className={styles["risk"]}>{risk}</small>}
            </li>
          );
        })}
      </ul>
      {carryOver(view.policy, policy).map((sentence) => (
        <p key={sentence} className={styles["small"]}>
          {sentence}
        </p>
      ))}
    </>
  );
}

/** What the field would say; a text that is not understood stays as it was written. */
function after(field: PolicyField, { draft, policy }: PolicyFormState): string {
  const written = draft[field].trim();
  const shown = shownSetting(field, policy[field]);
  if (written === "") return `${shown}, inherited`;
  return String(policy[field]) === written ? shown : written;
}

export interface PolicyFormProps {
  readonly view: OperationPolicyView;
  /** Why this person may not. */
  readonly notOffered?: string | undefined;
  readonly everywhereAfterSeconds: number;
  readonly providerTimeoutMs: number;
}
