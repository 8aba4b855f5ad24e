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
 * What a dialog is about, as it was when the dialog was opened: what it did may take that from the list behind it, and the answer
 * still has to say of what.
 *
 * @param dialog the address's name of it
 * @param found what the list has now
 */
export function useAsOpened<Value>(dialog: string, found: Value | undefined): Value | undefined {
  const [kept, setKept] = useState<{ readonly dialog: string; readonly value: Value }>();
  if (found !== undefined && kept?.dialog !== dialog) setKept({ dialog, value: found });
  return kept?.dialog === dialog ? kept.value : found;
}

/** The dialog that the address asks for, and the row of the list that it names, as it was when the dialog was opened. */
export function useDialogOf<Row extends object>(
  rows: readonly Row[],
  isNamed: (row: Row, id: string) => boolean = hasId,
): AskedDialog & { readonly row: Row | undefined } {
  const dialog = useDialog();
  const found = rows.find((row) => isNamed(row, dialog.id));
  return { ...dialog, row: useAsOpened(dialog.name, found) };
}

function hasId(row: object, id: string): boolean {
  return "id" in row && row.id === id;
}
