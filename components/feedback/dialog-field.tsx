"use client";

import { useId } from "react";
import { fieldText } from "./modal-dialog";
import styles from "./action-dialog.module.css";

export interface ActionField {
  readonly name: string;
  readonly label: string;
  /** `boxes`: any number of the options, sent as a list. */
  readonly kind: "text" | "textarea" | "radio" | "select" | "boxes";
  readonly options?:
    | readonly { readonly value: string; readonly label: string; readonly note?: string; readonly off?: boolean }[]
    | undefined;
  readonly required?: boolean | undefined;
  readonly initial?: string | undefined;
  /** Of boxes: those that are ticked at first. */
  readonly ticked?: readonly string[] | undefined;
  /** Of boxes: all of them mean the same as none, and are sent as an empty list. */
  readonly allIsNone?: boolean | undefined;
  /** The member of the body that it is sent in, beside what stands there. */
  readonly within?: string | undefined;
  /** Not sent while it is empty. */
  readonly omitEmpty?: boolean | undefined;
  readonly placeholder?: string | undefined;
  readonly maxLength?: number | undefined;
}

export const REASON_FIELD: ActionField = {
  name: "reason",
  label: "Reason, kept in the audit",
  kind: "textarea",
  required: true,
  omitEmpty: true,
  maxLength: 500,
};
const MAX_TEXT = 300;

/** One field of a dialog; what is not offered stays visible, with its reason as the note. */
export function DialogField({ field }: { readonly field: ActionField }) {
  const id = useId();
  if (field.kind === "radio") return <RadioField field={field} />;
  if (field.kind === "boxes") return <BoxesField field={field} />;
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

function BoxesField({ field: { name, options, ticked = [] } }: { readonly field: ActionField }) {
  return options?.map(({ value, label }) => (
    <label key={value} className={styles["check"]}>
      <input type="checkbox" name={name} value={value} defaultChecked={ticked.includes(value)} />
      <span>{label}</span>
    </label>
  ));
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

/** @returns what a form says by name: texts, then the reason and what else may be left out, then lists */
export function sentFields(form: FormData, fields: readonly ActionField[]): Readonly<Record<string, unknown>> {
  const texts = fields.filter(({ kind, omitEmpty }) => kind !== "boxes" && omitEmpty !== true);
  const optional = [REASON_FIELD, ...fields.filter(({ omitEmpty }) => omitEmpty === true)];
  const given = optional.filter(({ name }) => fieldText(form, name) !== "");
  const lists = fields.filter(({ kind }) => kind === "boxes");
  const sent: readonly (readonly [string, unknown])[] = [
    ...[...texts, ...given].map(({ name }) => [name, fieldText(form, name)] as const),
    ...lists.map(({ name, options, allIsNone }) => {
      const ticked = form.getAll(name);
      return [name, allIsNone === true && ticked.length === options?.length ? [] : ticked] as const;
    }),
  ];
  return Object.fromEntries(sent);
}

/** @returns the whole body: what a dialog always sends, and what its form says, each field where it belongs */
export function bodyWith(
  body: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
  fields: readonly ActionField[],
): Readonly<Record<string, unknown>> {
  const all: Record<string, unknown> = { ...body };
  for (const [name, value] of Object.entries(sent)) {
    const within = fields.find((field) => field.name === name)?.within;
    if (within === undefined) all[name] = value;
    else all[within] = { ...(all[within] as Readonly<Record<string, unknown>> | undefined), [name]: value };
  }
  return all;
}
