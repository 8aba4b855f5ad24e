"use client";

import dynamic from "next/dynamic";
import { createPortal } from "react-dom";
import { useDialog } from "@/components/feedback/use-dialog";
import { useSelection } from "@/components/table/selection";
import { goToPlace, usePlace } from "@/components/ui/place";
import type { PlanKindName } from "@/domain/plans/plan";
import { plural } from "@/presentation/format/words";

const FreezeDialog = dynamic(async () => (await import("./freeze-dialog")).FreezeDialog);

export type OperationPlanKind = Extract<PlanKindName, "reconcile_operations" | "release_operations" | "purge_bodies">;

export interface PlanSelectionProps {
  /** Kinds that are offered, with the reason why this person may not. */
  readonly kinds: readonly { readonly kind: OperationPlanKind; readonly whyNot?: string | undefined }[];
  /** The page's filters as the list's query string: frozen where all that match are meant. */
  readonly search: string;
}

const VERBS: Readonly<Record<OperationPlanKind, string>> = {
  reconcile_operations: "reconcile",
  release_operations: "release",
  purge_bodies: "purge",
};

/** @param matching how many match, where all of them are meant: a count, or "operations" where it is not known */
function manyWords(matching: string | undefined, selected: number): string {
  if (matching === undefined) return plural(selected, "selected operation");
  if (matching === "1") return "the 1 operation that matches";
  return `all ${matching === "operations" ? "" : `${matching} `}operations that match`;
}

/** Controls of the selection bar: each makes a plan of the selected rows, or of all that match; none acts. */
export function PlanSelection({ kinds, search }: PlanSelectionProps) {
  const { ids, all, matching } = useSelection();
  const { hrefOf } = usePlace();
  const { name } = useDialog();
  const nameOf = (kind: OperationPlanKind): string => `plan:${kind}`;
  const asked = kinds.find(({ kind }) => name === nameOf(kind));
  return (
    <>
      {kinds.map(({ kind, whyNot }) => (
        <button
          key={kind}
          type="button"
          disabled={whyNot !== undefined}
          title={whyNot}
          onClick={() => {
            goToPlace(hrefOf({ dialog: nameOf(kind) }));
          }}
        >
          Plan a {VERBS[kind]}
        </button>
      ))}
      {asked !== undefined &&
        createPortal(
          <FreezeDialog
            name={nameOf(asked.kind)}
            kind={asked.kind}
            many={manyWords(all ? matching : undefined, ids.length)}
            body={all ? { search } : { ids }}
            whyNot={asked.whyNot ?? (ids.length === 0 ? "No operation is selected." : undefined)}
          />,
          document.body,
        )}
    </>
  );
}
