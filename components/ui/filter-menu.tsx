"use client";

import { usePathname, useRouter } from "next/navigation";
import { useRef } from "react";
import { Button } from "./button";
import { usePlace } from "./place";
import { Popup } from "./popup";
import { useKeys } from "./use-keys";
import styles from "./filter-chips.module.css";

/** A filter that a list offers. */
export interface FilterField<Name extends string = string> {
  readonly name: Name;
  readonly label: string;
  /** What its chip calls it; without it, it has no chip of this kind. */
  readonly chip?: string | undefined;
  /** A choice; without it a text field. */
  readonly options?: readonly { readonly value: string; readonly label: string }[] | undefined;
  readonly placeholder?: string | undefined;
}

const MAX_VALUE = 300;
/** Parameters of a position in the old list; a new filter starts at its first page. */
const POSITION = ["cursor", "after", "before", "dialog", "open", "row"];

const WINDOW = ["from", "to"];

/** "Add filter": a small form whose answer is an address. `f` opens it. */
export function FilterMenu({ fields }: { readonly fields: readonly FilterField[] }) {
  const router = useRouter();
  const path = usePathname();
  const { query } = usePlace();
  const panel = useRef<HTMLDivElement>(null);

  useKeys((event) => {
    if (event.key !== "f") return;
    event.preventDefault();
    panel.current?.previousElementSibling?.scrollIntoView({ block: "nearest" });
    panel.current?.showPopover();
  });

  const apply = (form: FormData): void => {
    const next = new URLSearchParams(query);
    for (const name of POSITION) next.delete(name);
    for (const field of fields) {
      const value = form.get(field.name);
      if (typeof value === "string" && value.trim() !== "") next.set(field.name, value.trim());
      else next.delete(field.name);
    }
    // Another range stands instead of a time of its own.
    if ((next.get("range") ?? "") !== (query.get("range") ?? "")) for (const name of WINDOW) next.delete(name);
    panel.current?.hidePopover();
    router.push(`${path}?${next.toString()}`);
  };

  return (
    <Popup
      panel={panel}
      side="left"
      label="Filters"
      className={styles["add"]}
      button={
        <>
          Add filter <kbd>f</kbd>
        </>
      }
    >
      <form
        // The fields follow the address, however it changes while they are open.
        key={query.toString()}
        className={styles["panel"]}
        onSubmit={(event) => {
          event.preventDefault();
          apply(new FormData(event.currentTarget));
        }}
      >
        <div className={styles["fields"]}>
          {fields.map((field) => (
            <label key={field.name}>
              {field.label}
              <Field field={field} value={query.get(field.name) ?? ""} />
            </label>
          ))}
        </div>
        <Button type="submit" primary>
          Show
        </Button>
      </form>
    </Popup>
  );
}

function Field({ field, value }: { readonly field: FilterField; readonly value: string }) {
  if (field.options === undefined) {
    return (
      <input
        name={field.name}
        defaultValue={value}
        maxLength={MAX_VALUE}
        placeholder={field.placeholder}
        autoComplete="off"
      />
    );
  }
  return (
    <select name={field.name} defaultValue={value}>
      <option value="">any</option>
      {field.options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
