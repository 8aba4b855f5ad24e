import { ActionDialog } from "@/components/feedback/action-dialog";
import { askServiceWords, serviceFoot } from "@/presentation/operation/service-request";
import type { ActionName } from "@/presentation/views/common";
import type { OperationDetail } from "@/presentation/views/operations";

interface ServiceDialogsProps {
  readonly operation: OperationDetail;
  /** Owns the kind of the operation. */
  readonly service: string;
  readonly notOffered: (name: ActionName) => string | undefined;
}

/** The dialogs of an operation that a service in another language settles: it is asked, and may be asked no more. */
export function ServiceDialogs({ operation, service, notOffered }: ServiceDialogsProps) {
  const base = `/api/v1/admin/operations/${operation.operationId}`;
  return (
    <>
      <ActionDialog
        name="reconcile"
        title={`Ask ${service} to ask the provider about 1 operation?`}
        effect={askServiceWords({ service, action: "reconcile" })}
        notDone={serviceFoot({ service })}
        verb={`Ask ${service}`}
        path={`${base}/reconcile`}
        reason="optional"
        notOffered={notOffered("reconcile")}
      />
      <ActionDialog
        name="release"
        title={`Ask ${service} to release the key of 1 operation?`}
        effect={askServiceWords({ service, action: "release" })}
        notDone={serviceFoot({ service })}
        verb={`Ask ${service}`}
        path={`${base}/release`}
        notOffered={notOffered("release")}
      />
      <ActionDialog
        name="withdraw-request"
        title={`Withdraw what was asked of ${service}?`}
        effect="The request ends. A service that has it in hand is fenced and settles nothing by it."
        notDone="Nothing is settled."
        verb="Withdraw 1 request"
        path={`${base}/withdraw-request`}
        reason="optional"
        notOffered={notOffered("withdraw_request")}
      />
    </>
  );
}
