"use client";

import { AskedDialog, type DialogWords } from "@/components/feedback/action-dialog";
import { useDialogOf } from "@/components/feedback/use-dialog";
import { actEffect, actLimits } from "@/presentation/sources/source-claims";
import { ACT_WORDS } from "@/presentation/sources/source-words";
import type { SourceActName, SourceHead, SourceListView, SourceRowView } from "@/presentation/views/sources";
import { rowEvidence } from "./source-cells";

const MOST_PURGED = 500;

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

/** The dialog of a purge: what it may delete is named by a time and a number. */
export function SourcePurgeDialog({ source }: { readonly source: SourceHead }) {
  const { name } = useDialogOf<SourceRowView>([]);
  return (
    <AskedDialog
      name={name}
      words={
        name !== "purge"
          ? undefined
          : {
              title: `Purge finished rows of ${source.name}?`,
              effect: actEffect(factsOf(source, "purge")),
              notDone: actLimits(factsOf(source, "purge")),
              verb: "Purge finished rows",
              path: pathOf(source, "purge"),
              notOffered: notOffered(source, "purge"),
              fields: [
                {
                  name: "before",
                  label: "Older than, UTC",
                  kind: "text",
                  required: true,
                  placeholder: "2026-11-01T00:00:00Z",
                },
                {
                  name: "most",
                  label: `At most so many rows, up to ${String(MOST_PURGED)}`,
                  kind: "text",
                  required: true,
                  initial: String(MOST_PURGED),
                },
              ],
            }
      }
    />
  );
}

const factsOf = (source: SourceHead, act: SourceActName) => ({ act, of: source.acts[act], source: source.name });
const pathOf = ({ id }: SourceHead, act: SourceActName): string => `/api/v1/admin/attachments/${id}/${act}`;

function notOffered({ acts }: SourceHead, act: SourceActName): string | undefined {
  const { offered, says, whyNot } = acts[act];
  return offered ? whyNot : (says ?? "It is not installed.");
}
