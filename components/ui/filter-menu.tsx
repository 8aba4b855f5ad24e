"use client";

import { usePathname, useRouter } from "next/navigation";
import { useRef } from "react";
import type { Zone } from "@/domain/time-zone";
import { momentOf, zonedMinute, zoneWord } from "@/presentation/format/display-time";
import { Button } from "./button";
import { usePlace } from "./place";
import { Popup } from "./popup";
import { useKeys } from "./use-keys";
import { useZone } from "./values/use-zone";
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
  /** A moment: written in the person's zone, or with a zone of its own; the address has it in UTC. */
  readonly time?: true | undefined;
}

const MAX_VALUE = 300;
/** Parameters of a position in the old list; a new filter starts at its first page. */
const POSITION = ["cursor", "after", "before", "dialog", "open", "row"];

const WINDOW = ["from", "to"];
/** A time that says its zone. */
const OWN_ZONE = /(z|[+-]\d\d:?\d\d)$/i;

/** "Add filter": a small form whose answer is an address. `f` opens it. */
export function FilterMenu({ fields }: { readonly fields: readonly FilterField[] }) {
  const router = useRouter();
  const path = usePathname();
  const { query } = usePlace();
  const panel = useRef<HTMLDivElement>(null);
  const zone = useZone();

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
      const typed = form.get(field.name);
      const value = typeof typed === "string" ? typed.trim() : "";
      const before = query.get(field.name) ?? "";
      if (value !== "") next.set(field.name, field.time === true ? typedMoment(value, before, zone) : value);
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
          Add filter <kbd className="off-phone">f</kbd>
        </>
      }
    >
      <form
        // The fields follow the address, however it changes while they are open.
        key={`${query.toString()} ${zone}`}
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
              <Field field={field} value={query.get(field.name) ?? ""} zone={zone} />
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

/** A moment of the address as its field shows it; what is none stays as it is. */
function shownMoment(value: string, zone: Zone): string {
  const shown = zonedMinute(value, zone);
  return shown === "" ? value : shown.replace("T", " ");
}

/** @param before what the address has: a field that nobody touched keeps it, to the microsecond */
function typedMoment(value: string, before: string, zone: Zone): string {
  if (before !== "" && value === shownMoment(before, zone)) return before;
  if (OWN_ZONE.test(value)) return value;
  return momentOf(value.replace(" ", "T"), zone)?.replace(".000Z", "Z") ?? value;
}

interface FieldProps {
  readonly field: FilterField;
  readonly value: string;
  readonly zone: Zone;
}

function Field({ field, value, zone }: FieldProps) {
  if (field.options === undefined) {
    return (
      <input
        name={field.name}
        defaultValue={field.time === true ? shownMoment(value, zone) : value}
        maxLength={MAX_VALUE}
        placeholder={field.time === true ? `2026-11-19 13:00, ${zoneWord(zone)}` : field.placeholder}
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
