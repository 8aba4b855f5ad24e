"use client";

import { useId } from "react";
import styles from "./action-dialog.module.css";

export interface ActionField {
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "textarea" | "radio" | "select" | "checkbox";
  readonly options?:
    | readonly { readonly value: string; readonly label: string; readonly note?: string; readonly off?: boolean }[]
    | undefined;
  readonly required?: boolean | undefined;
  readonly initial?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly maxLength?: number | undefined;
}

export const REASON_FIELD: ActionField = {
  name: "reason",
  label: "Reason, kept in the audit",
  kind: "textarea",
  required: true,
  maxLength: 500,
};
const MAX_TEXT = 300;

/** One field of a dialog; what is not offered stays visible, with its reason as the note. */
export function DialogField({ field }: { readonly field: ActionField }) {
  const id = useId();
  if (field.kind === "radio") return <RadioField field={field} />;
  if (field.kind === "checkbox") {
    return (
      <label className={styles["check"]}>
        <input type="checkbox" name={field.name} defaultChecked={field.initial === "true"} required={field.required} />
        <span>{field.label}</span>
      </label>
    );
  }
  const common = {
    id,
    name: field.name,
    className: "box field",
    defaultValue: field.initial,
    required: field.required,
  };
  const written = { maxLength: field.maxLength ?? MAX_TEXT, placeholder: field.placeholder };
  return (
    <>
      <label className={styles["label"]} htmlFor={id}>
        {field.label}
      </label>
      {field.kind === "textarea" && <textarea {...common} {...written} rows={3} />}
      {field.kind === "text" && <input {...common} {...written} autoComplete="off" />}
      {field.kind === "select" && (
        <select {...common}>
          {field.options?.map((option) => (
            <option key={option.value} value={option.value} disabled={option.off}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

function RadioField({ field }: { readonly field: ActionField }) {
  return (
    <fieldset className={styles["choices"]}>
      <legend>{field.label}</legend>
      {field.options?.map((option) => (
        <label key={option.value} className={styles["choice"]} data-off={option.off === true || undefined}>
          <input
            type="radio"
            name={field.name}
            value={option.value}
            defaultChecked={field.initial === option.value}
            disabled={option.off}
            required={field.required}
          />
          <span>{option.label}</span>
          {option.note !== undefined && <small>{option.note}</small>}
        </label>
      ))}
    </fieldset>
  );
}
