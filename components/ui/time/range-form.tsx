"use client";

import { below } from "@/components/ui/base-path";
import { useState } from "react";
import { momentOf, zonedMinute, zoneWord } from "@/presentation/format/display-time";
import { Button } from "../button";
import styles from "./range-form.module.css";
import { useZone } from "../values/use-zone";

export interface RangeFormProps {
  /** Path of the page. */
  readonly action: string;
  /** What else the address says and goes on saying. */
  readonly kept: readonly { readonly name: string; readonly value: string }[];
  /** What the address says of the time: what was typed lasts until that changes, by whatever way. */
  readonly place: string;
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
}

type Field = "from" | "to";
const LABELS: Readonly<Record<Field, string>> = { from: "From", to: "to" };

/**
 * Two fields for a time of one's own. They show the time that the page shows, until somebody types another one. What is
 * typed is of the person's zone, which stands behind the fields; the address gets the moment in UTC.
 */
export function RangeForm({ action, kept, place, ...shown }: RangeFormProps) {
  const zone = useZone();
  const typing = `${place} ${zone}`;
  const [typed, setTyped] = useState<{
    readonly typing: string;
    readonly fields: Readonly<Partial<Record<Field, string>>>;
  }>();
  const own = typed?.typing === typing ? typed.fields : {};
  const field = (name: Field) => {
    const value = own[name] ?? zonedMinute(shown[name], zone);
    return (
      <>
        <label>
          {LABELS[name]}{" "}
          <input
            type="datetime-local"
            required
            value={value}
            onChange={({ currentTarget }) => {
              setTyped({ typing, fields: { ...own, [name]: currentTarget.value } });
            }}
          />
        </label>
        <input type="hidden" name={name} value={momentOf(value, zone)?.slice(0, 16) ?? ""} />
      </>
    );
  };
  return (
    <form className={styles["form"]} method="get" action={below(action)}>
      {kept.map(({ name, value }) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {field("from")}
      {field("to")}
      <span>{zoneWord(zone)}</span>
      <Button type="submit" small>
        Show
      </Button>
    </form>
  );
}
