"use client";

import { useState } from "react";
import { usePlace } from "@/components/ui/place";

/** The dialog that the address names: `<verb>`, or `<verb>:<id>` for one of many. */
export interface AskedDialog {
  /** Value of `?dialog=`; empty while none is open. */
  readonly name: string;
  readonly verb: string;
  readonly id: string;
}

export function useDialog(): AskedDialog {
  const name = usePlace().query.get("dialog") ?? "";
  const [verb = "", ...rest] = name.split(":");
  return { name, verb, id: rest.join(":") };
}

/**
 * What a dialog says, as it was when the dialog was opened: what it did may take its subject from the list behind it, and the answer
 * still has to say of what. Once it is closed, nothing is kept.
 *
 * @param dialog the name under which the address asks for it
 * @param now what it would say now; undefined where its subject is gone
 */
export function useAsOpened<Value>(dialog: string, now: Value | undefined): Value | undefined {
  const asked = useDialog().name === dialog && dialog !== "";
  const [kept, setKept] = useState<{ readonly dialog: string; readonly value: Value }>();
  if (!asked) {
    if (kept !== undefined) setKept(undefined);
    return undefined;
  }
  if (kept?.dialog === dialog) return kept.value;
  if (now !== undefined) setKept({ dialog, value: now });
  return now;
}

/** The dialog that the address asks for, and the row of the list that it names, as the list has it now. */
export function useDialogOf<Row extends object>(
  rows: readonly Row[],
  isNamed: (row: Row, id: string) => boolean = hasId,
): AskedDialog & { readonly row: Row | undefined } {
  const dialog = useDialog();
  const found = rows.find((row) => isNamed(row, dialog.id));
  return { ...dialog, row: found };
}

function hasId(row: object, id: string): boolean {
  return "id" in row && row.id === id;
}
