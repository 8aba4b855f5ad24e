"use client";

import { useEffect, useRef, type ReactNode } from "react";
import styles from "./action-dialog.module.css";

interface ModalDialogProps {
  readonly open: boolean;
  /** What it asks; another question in the open dialog begins anew. */
  readonly name?: string | undefined;
  readonly begin: () => void;
  readonly leave: () => void;
  readonly titleId: string;
  readonly children: ReactNode;
}

/** A modal dialog of the page: the first field has the focus, Escape leaves it, and what was in it is forgotten then. */
export function ModalDialog({ open, name, begin, leave, titleId, children }: ModalDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    if (!open) {
      element.close();
      return;
    }
    begin();
    if (!element.open) element.showModal();
    element.querySelector<HTMLElement>("textarea, input:not([type=hidden]), select")?.focus();
  }, [open, name, begin]);
  return (
    <dialog
      ref={dialog}
      className={styles["dialog"]}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
    >
      {open && children}
    </dialog>
  );
}

/** A fact of a dialog beside its name. */
export function DialogLine({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** @returns what stands in a text field of a form, without the space around it */
export function fieldText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}
