"use client";

import { useDialog } from "@/components/feedback/use-dialog";
import { goToPlace, usePlace } from "@/components/ui/place";
import { createPortal } from "react-dom";
import { useSelectedIds } from "@/components/table/selection";
import { PlanDialog, type PlanVerb } from "./plan-dialog";

const VERBS: readonly PlanVerb[] = ["requeue", "discard"];

/** Controls of the selection bar: both make a plan of the selected rows, neither acts. */
export function SelectionActions({ whyNot }: { readonly whyNot: string | undefined }) {
  const ids = useSelectedIds();
  const { hrefOf } = usePlace();
  const { name } = useDialog();
  const asked = VERBS.find((verb) => name === nameOf(verb));
  return (
    <>
      {VERBS.map((verb) => (
        <button
          key={verb}
          type="button"
          disabled={whyNot !== undefined}
          title={whyNot}
          onClick={() => {
            goToPlace(hrefOf({ dialog: nameOf(verb) }));
          }}
        >
          Plan a {verb}
        </button>
      ))}
      {asked !== undefined &&
        createPortal(
          <PlanDialog
            name={nameOf(asked)}
            verb={asked}
            count={ids.length}
            what="the selected messages"
            body={{ ids }}
            whyNot={whyNot ?? (ids.length === 0 ? "No message is selected." : undefined)}
          />,
          document.body,
        )}
    </>
  );
}

function nameOf(verb: PlanVerb): string {
  return `plan:${verb}:selected`;
}
