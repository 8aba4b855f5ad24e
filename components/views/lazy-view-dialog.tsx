"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { usePlace } from "@/components/ui/place";
import type { ViewDialogProps } from "./view-dialog";

const ViewDialog = dynamic(async () => (await import("./view-dialog")).ViewDialog, { loading: () => null });

/** The dialogs about views, loaded once the address names one: a page that only shows views does not carry them. */
export function LazyViewDialog(props: ViewDialogProps) {
  const asked = usePlace().query.get("dialog")?.startsWith("view:") === true;
  const [used, setUsed] = useState(asked);
  if (asked && !used) setUsed(true);
  return used ? <ViewDialog {...props} /> : null;
}
