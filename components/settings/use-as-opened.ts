"use client";

import { useState } from "react";

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
