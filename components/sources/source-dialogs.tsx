"use client";

import { AskedDialog, type DialogWords } from "@/components/feedback/action-dialog";
import { useDialogOf } from "@/components/feedback/use-dialog";
import { freezeDialog } from "@/components/plans/freeze-dialog";
import { PURGE_ATTACHED_KIND } from "@/domain/plans/plan";
import { actEffect, actLimits } from "@/presentation/sources/source-claims";
import { ACT_WORDS } from "@/presentation/sources/source-words";
import type { SourceActName, SourceHead, SourceListView, SourceRowView } from "@/presentation/views/sources";
import { rowEvidence } from "./source-cells";

/** The dialog that the address asks for: of a row of this list. */
export function SourceDialogs({ view }: { readonly view: SourceListView }) {
  const { page, opened, source } = view;
  const rows = page.kind === "rows" ? page.rows : [];
  const own = opened?.kind === "row" ? [opened.row] : [];
  const { name, verb, row } = useDialogOf([...own, ...rows]);
  const act = verb === "requeue" || verb === "discard" ? verb : undefined;
  return <AskedDialog name={name} words={act && row && rowDialog(view, source, act, row)} />;
}

function rowDialog(
  { view, columns }: SourceListView,
  source: SourceHead,
  act: "requeue" | "discard",
  row: SourceRowView,
): DialogWords {
  const word = `${ACT_WORDS[act]} 1 row`;
  return {
    title: `${word} of ${source.name}?`,
    effect: actEffect(factsOf(source, act)),
    evidence: rowEvidence(view, row, columns),
    notDone: actLimits(factsOf(source, act)),
    verb: word,
    path: pathOf(source, act),
    body: { row: row.id },
    notOffered: notOffered(source, act),
  };
}

/** The dialog of a purge, which is a plan: what may be deleted is named by a time, and counted before anything is. */
export function SourcePurgeDialog({ source }: { readonly source: SourceHead }) {
  const { name } = useDialogOf<SourceRowView>([]);
  const words = freezeDialog({
    kind: PURGE_ATTACHED_KIND,
    many: `finished rows of ${source.name}`,
    body: { attached: { attachment: source.id } },
    fields: [
      {
        ...{ name: "before", within: "attached", kind: "text", required: true },
        label: "Older than, UTC",
        placeholder: "2026-11-01T00:00:00Z",
      },
    ],
    whyNot: notOffered(source, "purge"),
  });
  return <AskedDialog name={name} words={name === "purge" ? words : undefined} />;
}

const factsOf = (source: SourceHead, act: SourceActName) => ({ act, of: source.acts[act], source: source.name });
const pathOf = ({ id }: SourceHead, act: SourceActName): string => `/api/v1/admin/attachments/${id}/${act}`;

function notOffered({ acts }: SourceHead, act: SourceActName): string | undefined {
  const { offered, says, whyNot } = acts[act];
  return offered ? whyNot : (says ?? "It is not installed.");
}
