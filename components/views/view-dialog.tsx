"use client";

import { AskedDialog, type DialogWords } from "@/components/feedback/action-dialog";
import { useDialog } from "@/components/feedback/use-dialog";
import type { VIEW_NAME_MAX, ViewPage } from "@/presentation/list/saved-view";
import type { SavedView } from "@/presentation/views/saved-views";

export interface ViewDialogProps {
  readonly page: ViewPage;
  /** Of the page, for people. */
  readonly title: string;
  readonly views: readonly Pick<SavedView, "id" | "name" | "mayChange" | "createdBy">[];
  /** Filters, order and columns of this page, as a view keeps them. */
  readonly search: string;
  readonly whyNot?: string | undefined;
}

/** Longest name of a view. */
const NAME_MAX: typeof VIEW_NAME_MAX = 60;
const PATH = "/api/v1/admin/views";
const ROWS_STAY = "No row is touched.";

/** The dialog of `dialog=view:…`, if the address names one. */
export function ViewDialog({ page, title, views, search, whyNot }: ViewDialogProps) {
  const { name, verb: kind, id: asked } = useDialog();
  const [verb, id] = kind === "view" ? asked.split(":", 2) : [];
  const view = views.find((each) => each.id === id);
  const shown = search === "" ? "the standard list, nothing filtered" : decodeURIComponent(search.slice(1));
  const save = {
    title: `Save these filters of ${title.toLowerCase()} as a view?`,
    effect: "Everybody here who may read this page finds it under its name. A range follows the clock: 24 h stay 24 h.",
    evidence: shown,
    notDone: `Page, open row and dialog are not kept. ${ROWS_STAY}`,
    verb: "Save 1 view",
    path: PATH,
    body: { page, search },
    fields: [nameField(undefined)],
    follow: true,
    notOffered: whyNot,
  };
  const words = verb === "save" ? save : viewWords(verb, view, `${PATH}/${id ?? ""}`, { search, shown });
  return <AskedDialog name={name} words={words && { reason: "none", ...words }} />;
}

/** @returns what the dialog of a verb says of one view; of one that is gone, that it is off */
function viewWords(
  verb: string | undefined,
  view: ViewDialogProps["views"][number] | undefined,
  path: string,
  { search, shown }: { readonly search: string; readonly shown: string },
): DialogWords | undefined {
  const called = view?.name ?? "this view";
  const notOffered = view === undefined ? "There is no such view." : notYours(view);
  switch (verb) {
    case "rename":
      return {
        title: `Give "${called}" another name?`,
        effect: "Everybody here sees the new name. Links to the view stay good.",
        notDone: `What the view keeps stays. ${ROWS_STAY}`,
        verb: "Rename 1 view",
        path: `${path}/change`,
        fields: [nameField(view?.name)],
        notOffered,
      };
    case "overwrite":
      return {
        title: `Let "${called}" keep what this page shows?`,
        effect: "From now on the view keeps filters, order and columns as they are here, for everybody.",
        evidence: shown,
        notDone: ROWS_STAY,
        verb: "Overwrite 1 view",
        path: `${path}/change`,
        body: { search },
        notOffered,
      };
    case "delete":
      return {
        title: `Delete "${called}" for everybody?`,
        effect: "The name is gone from the views of this page. The audit keeps what it held.",
        notDone: `Addresses that were copied from it stay good, its own link does not. ${ROWS_STAY}`,
        verb: "Delete 1 view",
        path: `${path}/delete`,
        notOffered,
      };
    default:
      return undefined;
  }
}

function notYours({ mayChange, createdBy }: ViewDialogProps["views"][number]): string | undefined {
  return mayChange ? undefined : `Only ${createdBy} and an admin may change this view.`;
}

function nameField(initial: string | undefined) {
  return { name: "name", label: "Name", kind: "text", required: true, maxLength: NAME_MAX, initial } as const;
}
