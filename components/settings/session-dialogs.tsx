"use client";

import { ActionDialog } from "@/components/feedback/action-dialog";
import { plural } from "@/presentation/format/words";
import type { SessionRow } from "@/presentation/views/access";
import { useAsOpened, useDialog } from "@/components/feedback/use-dialog";

const PATH = "/api/v1/admin/sessions/end";

/** The dialog that the address asks for. @param others all sessions but the one that asks */
export function SessionDialogs({ others }: { readonly others: readonly SessionRow[] }) {
  const { name: dialog } = useDialog();
  const one = useAsOpened(
    dialog,
    others.find(({ id }) => dialog === `end:${id}`),
  );
  const count = useAsOpened(dialog, dialog === "end-others" && others.length > 0 ? others.length : undefined);
  if (count !== undefined) {
    return (
      <ActionDialog
        name="end-others"
        title={`End ${plural(count, "other session")}?`}
        effect="Each of them has to sign in again."
        notDone="The session that you are using stays."
        skipped={`None of ${String(count)}.`}
        verb={`End ${plural(count, "session")}`}
        path={PATH}
        reason="none"
      />
    );
  }
  if (one === undefined) return null;
  return (
    <ActionDialog
      name={`end:${one.id}`}
      title="End 1 session?"
      effect="Whoever uses it has to sign in again."
      evidence={one.address === undefined ? one.device : `${one.device}, from ${one.address}`}
      notDone="Your password stays as it is."
      verb="End 1 session"
      path={PATH}
      body={{ session: one.id }}
      reason="none"
    />
  );
}
