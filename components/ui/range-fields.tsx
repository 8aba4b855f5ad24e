"use client";

import { useState } from "react";

export interface RangeFieldsProps {
  /** What the address says of the time: what was typed lasts until that changes, by whatever way. */
  readonly place: string;
  /** UTC, to the minute: "2026-11-19T14:43". */
  readonly from: string;
  readonly to: string;
}

type Field = "from" | "to";

/** Two fields of a form for a time of its own. They show the time that the page shows, until somebody types another one. */
export function RangeFields({ place, ...shown }: RangeFieldsProps) {
  const [typed, setTyped] = useState<{
    readonly place: string;
    readonly fields: Readonly<Partial<Record<Field, string>>>;
  }>();
  const own = typed?.place === place ? typed.fields : {};
  const field = (name: Field) => (
    <input
      type="datetime-local"
      name={name}
      required
      value={own[name] ?? shown[name]}
      onChange={({ currentTarget }) => {
        setTyped({ place, fields: { ...own, [name]: currentTarget.value } });
      }}
    />
  );
  return (
    <>
      <label>From {field("from")}</label>
      <label>to {field("to")}</label>
    </>
  );
}
