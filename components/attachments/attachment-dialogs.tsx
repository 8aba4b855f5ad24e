"use client";

import { AskedDialog, type DialogWords } from "@/components/feedback/action-dialog";
import { useDialogOf } from "@/components/feedback/use-dialog";
import type { AttachmentsView, AttachmentView } from "@/presentation/views/attachments";

/** The dialog that the address asks for: removing an attachment. */
export function AttachmentDialogs({ view }: { readonly view: AttachmentsView }) {
  const { name, verb, row } = useDialogOf(view.attachments);
  const words = verb === "remove" && row !== undefined ? removeDialog(row) : undefined;
  const asked = words === undefined ? undefined : { notOffered: view.whyNot, ...words };
  return <AskedDialog name={name} words={asked} />;
}

/** What removing does, and what it leaves as it is: the schema is its owner's. */
function removeDialog({ id, name, shown, installedAs }: AttachmentView): DialogWords {
  return {
    title: `Remove 1 attachment: ${name}?`,
    effect: "Its pages are gone and its address is deleted here. To see it again, somebody attaches it again.",
    evidence: `${shown}, schema ${installedAs}`,
    notDone: `Nothing changes in that database. Its owner takes the schema back by: drop schema ${installedAs} cascade. What was done there stays in the audit.`,
    verb: "Remove 1 attachment",
    path: `/api/v1/admin/attachments/${id}/remove`,
  };
}
