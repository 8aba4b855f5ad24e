import { ActionDialog } from "@/components/feedback/action-dialog";
import { RecentCallers } from "@/components/clients/recent-callers";
import { Id } from "@/components/ui/values/id";
import { askEffect, callsWords } from "@/presentation/operation/decision-claims";
import type { ActionName } from "@/presentation/views/common";
import type { KeyCallersView } from "@/presentation/views/clients";
import type { OperationDetail } from "@/presentation/views/operations";
import { RevealDialog } from "./reveal-dialog";
import { ServiceDialogs } from "./service-dialogs";

interface OperationDialogsProps {
  readonly operation: OperationDetail;
  readonly callers: KeyCallersView | undefined;
}

/** All dialogs of the page; the address says which one is open. They stay mounted, so that an answer outlives the change. */
export function OperationDialogs({ operation, callers }: OperationDialogsProps) {
  const base = `/api/v1/admin/operations/${operation.operationId}`;
  const notOffered = (name: ActionName): string | undefined =>
    operation.actions.find(({ action }) => action === name)?.whyNot;
  return (
    <>
      {operation.service === undefined ? (
        <OwnDialogs operation={operation} base={base} notOffered={notOffered} />
      ) : (
        <ServiceDialogs operation={operation} service={operation.service} notOffered={notOffered} />
      )}
      <ActionDialog
        name="purge"
        title="Purge the bodies of 1 operation for good?"
        effect="The stored command and response are deleted, and the commands of its conflicts. It cannot be undone."
        evidence={
          <>
            Key, fingerprint, state, events and audit stay.
            {callers !== undefined && <RecentCallers view={callers} />}
          </>
        }
        notDone="The purge lets no key run again. Its answer can no longer be repeated byte for byte."
        verb="Purge 1 body"
        path={`${base}/purge-body`}
        notOffered={notOffered("purge_body")}
      />
      <RevealDialog path={`${base}/reveal`} notOffered={notOffered("reveal_bodies")} />
    </>
  );
}

interface OwnDialogsProps {
  readonly operation: OperationDetail;
  readonly base: string;
  readonly notOffered: (name: ActionName) => string | undefined;
}

function OwnDialogs({ operation, base, notOffered }: OwnDialogsProps) {
  const sent = operation.provider.some(({ state }) => state !== "prepared");
  return (
    <>
      <ActionDialog
        name="reconcile"
        title="Ask the provider now what became of 1 operation?"
        effect={
          <>
            {sent && (
              <>
                One look-up by the provider key of <Id value={operation.operationId} plain />.{" "}
              </>
            )}
            {askEffect({ sent })}
          </>
        }
        evidence={callsWords(operation.provider.length)}
        notDone="No money is sent. An answer that is not final changes nothing."
        verb="Ask the provider"
        path={`${base}/reconcile`}
        reason="none"
        notOffered={notOffered("reconcile")}
      />
      <ActionDialog
        name="release"
        title="Release the key of 1 operation whose owner is gone?"
        effect="It ends without effect. While its window is open the same command runs again under its key, as often as its policy lets it."
        evidence={
          notOffered("release") === undefined
            ? "Nobody holds its lease and nothing was sent: the send would stand in the journal."
            : undefined
        }
        notDone="Nobody is asked and no money is sent. Where something was sent after all, it is refused."
        verb="Release 1 key"
        path={`${base}/release`}
        notOffered={notOffered("release")}
      />
    </>
  );
}
