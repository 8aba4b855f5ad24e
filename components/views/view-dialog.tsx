"use client";

import { ActionDialog } from "@/components/feedback/action-dialog";
import { useAsOpened, useDialog } from "@/components/feedback/use-dialog";
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
const ROWS_STAY = "No row of the list is touched.";

/** The dialog of `dialog=view:…`, if the address names one. */
export function ViewDialog({ page, title, views, search, whyNot }: ViewDialogProps) {
  const asked = useDialog();
  const { name } = asked;
  const [verb, id] = asked.verb === "view" ? asked.id.split(":", 2) : [];
  const view = useAsOpened(
    name,
    views.find((each) => each.id === id),
  );
  if (verb === "save") return <SaveDialog name={name} page={page} title={title} search={search} whyNot={whyNot} />;
  if (verb !== "rename" && verb !== "overwrite" && verb !== "delete") return null;
  const off =
    view === undefined
      ? "There is no such view any more."
      : view.mayChange
        ? undefined
        : `Only ${view.createdBy} and an admin may change this view.`;
  const shared = { name, notOffered: off, reason: "none" as const, skipped: "None of 1." };
  const called = view?.name ?? "this view";
  if (verb === "rename")
    return (
      <ActionDialog
        {...shared}
        title={`Give "${called}" another name?`}
        effect="Everybody here sees the new name. Links to the view stay good."
        notDone={`What the view keeps stays. ${ROWS_STAY}`}
        verb="Rename 1 view"
        path={`/api/v1/admin/views/${id ?? ""}/change`}
        fields={[nameField(view?.name)]}
      />
    );
  if (verb === "overwrite")
    return (
      <ActionDialog
        {...shared}
        title={`Let "${called}" keep what this page shows?`}
        effect="The view keeps these filters, this order and these columns from now on, for everybody here."
        evidence={search === "" ? "the standard list, nothing filtered" : decodeURIComponent(search.slice(1))}
        notDone={ROWS_STAY}
        verb="Overwrite 1 view"
        path={`/api/v1/admin/views/${id ?? ""}/change`}
        body={{ search }}
      />
    );
  return (
    <ActionDialog
      {...shared}
      title={`Delete "${called}" for everybody?`}
      effect="The name is gone from this list's views. The audit keeps what it held."
      notDone={`Addresses that were copied from it stay good, its own link does not. ${ROWS_STAY}`}
      verb="Delete 1 view"
      path={`/api/v1/admin/views/${id ?? ""}/delete`}
      body={{}}
    />
  );
}

interface SaveDialogProps {
  readonly name: string;
  readonly page: ViewPage;
  readonly title: string;
  readonly search: string;
  readonly whyNot: string | undefined;
}

function SaveDialog({ name, page, title, search, whyNot }: SaveDialogProps) {
  return (
    <ActionDialog
      name={name}
      title={`Save these filters of ${title.toLowerCase()} as a view?`}
      effect="Everybody who sees this tenant finds it under its name. It follows the clock: a range of 24 h stays 24 h."
      evidence={search === "" ? "the standard list, nothing filtered" : decodeURIComponent(search.slice(1))}
      notDone={`Page, open row and dialog are not kept. ${ROWS_STAY}`}
      skipped="None of 1."
      verb="Save 1 view"
      path="/api/v1/admin/views"
      body={{ page, search }}
      fields={[nameField(undefined)]}
      reason="none"
      follow
      notOffered={whyNot}
    />
  );
}

function nameField(initial: string | undefined) {
  return { name: "name", label: "Name", kind: "text", required: true, maxLength: NAME_MAX, initial } as const;
}
