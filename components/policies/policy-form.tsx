"use client";

import { type SubmitEvent, useId } from "react";
import { PolicyDecide, type PolicyFormProps } from "./policy-decide";
import { type PolicyFormState, usePolicyForm } from "./use-policy-form";
import { boundsWords } from "@/presentation/policy/policy-page-claims";
import type { OperationPolicyView } from "@/presentation/views/policies";
import { effectsOf, riskOf } from "@/presentation/policy/policy-claims";
import {
  layerWord,
  SETTING_GROUPS,
  SETTINGS,
  settingsInWords,
  shownSetting,
  type SettingGroup,
} from "@/presentation/policy/policy-words";
import type { PolicyField } from "@/domain/idempotency/policy";
import styles from "./policies.module.css";

/** Deciding otherwise for one operation: the effect and what changes are said while it is typed; the server decides. */
export function PolicyForm(props: PolicyFormProps) {
  const { view, notOffered, providerTimeoutMs } = props;
  const form = usePolicyForm(view);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const reason = new FormData(event.currentTarget).get("reason");
    form.send(typeof reason === "string" ? reason.trim() : "");
  };
  return (
    <form className={styles["form"]} onSubmit={submit} aria-label={`Policy of ${view.operation}`}>
      <div>
        <PolicyFields view={view} form={form} off={notOffered !== undefined} providerTimeoutMs={providerTimeoutMs} />
      </div>
      <div className={styles["decide"]}>
        <PolicyDecide {...props} form={form} />
      </div>
    </form>
  );
}

interface PolicyFieldsProps {
  readonly view: OperationPolicyView;
  readonly form: PolicyFormState;
  readonly off: boolean;
  readonly providerTimeoutMs: number;
}

/** Every setting as a field; empty is "as the deployment decides". Beside each group, what the draft would mean for a caller. */
function PolicyFields(props: PolicyFieldsProps) {
  const { view, form } = props;
  return SETTING_GROUPS.map((group) => (
    <section key={group.name} className={styles["fields"]} aria-label={group.name}>
      <div className={styles["effects"]}>
        <h2>{group.name}</h2>
        {effectsOf(group, { ...view, policy: form.policy }).map((effect) => (
          <p key={effect}>{effect}</p>
        ))}
      </div>
      <div>
        {fieldsOf(group, view).map((field) => (
          <SettingField key={field} field={field} {...props} />
        ))}
      </div>
    </section>
  ));
}

/** What an operation has no rule for cannot be decided. */
function fieldsOf({ fields }: SettingGroup, { onceFor }: OperationPolicyView): readonly PolicyField[] {
  return onceFor === undefined ? fields.filter((field) => field !== "newKey") : fields;
}

function SettingField(props: PolicyFieldsProps & { readonly field: PolicyField }) {
  const { field, view, form, off, providerTimeoutMs } = props;
  const { draft, policy, errors, write } = form;
  const id = useId();
  const { label, unit, choices } = SETTINGS[field];
  const setting = view.settings.find((each) => each.field === field);
  const inherited = `${shownSetting(field, view.inherited[field])}, ${layerWord(setting?.inheritedFrom ?? "default")}`;
  const changed = policy[field] !== view.policy[field];
  const error = errors[field];
  const risk = riskOf(field, { ...view, policy });
  const about = [error !== undefined && `${id}-error`, changed && `${id}-was`]
    .filter((each) => each !== false)
    .join(" ");
  const shared = {
    id,
    name: field,
    value: draft[field],
    disabled: off,
    "aria-invalid": error !== undefined || undefined,
    "aria-describedby": about === "" ? undefined : about,
    onChange: (event: { readonly target: { readonly value: string } }): void => {
      write({ ...draft, [field]: event.target.value });
    },
  };
  return (
    <div className={styles["field"]} data-changed={changed || undefined}>
      <label className="hint" htmlFor={id}>
        {label}
      </label>
      {choices === undefined ? (
        <span className={styles["number"]}>
          <input {...shared} inputMode="numeric" autoComplete="off" placeholder={String(view.inherited[field])} />
          <span>{unit}</span>
        </span>
      ) : (
        <select {...shared}>
          <option value="">As inherited: {inherited}</option>
          {Object.entries(choices).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
      {choices === undefined && (
        <small>
          Empty: {inherited}. {boundsWords({ field, providerTimeoutMs })}
        </small>
      )}
      {changed && (
        <small id={`${id}-was`} className={styles["was"]}>
          now {shownSetting(field, view.policy[field])}
        </small>
      )}
      {error !== undefined && (
        <small id={`${id}-error`} className={styles["error"]}>
          {settingsInWords(error)}
        </small>
      )}
      {risk !== undefined && <small className={styles["risk"]}>{risk}</small>}
    </div>
  );
}
