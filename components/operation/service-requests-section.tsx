import { Offer } from "@/components/ui/offer";
import { SectionTable } from "@/components/table/rows-table";
import { Time } from "@/components/ui/values/time";
import { auditLabel } from "@/domain/access/audit-action";
import { openRequest } from "@/presentation/operation/service-request";
import type { OperationDetail } from "@/presentation/views/operations";

/** What the service of the operation was asked, by whom, and what became of it. */
export function ServiceRequestsSection({ operation }: { readonly operation: OperationDetail }) {
  const { actions, at, service, serviceRequests = [] } = operation;
  if (service === undefined || serviceRequests.length === 0) return null;
  const withdraw = actions.find(({ action }) => action === "withdraw_request");
  return (
    <SectionTable
      quiet
      space="small"
      title={`Asked of ${service}`}
      right={
        withdraw !== undefined &&
        openRequest(serviceRequests) !== undefined && (
          <Offer small dialog="withdraw-request" notOffered={withdraw.whyNot}>
            Withdraw
          </Offer>
        )
      }
      label={`Requests to ${service}`}
      rows={serviceRequests}
      rowId={(row) => row.id}
      columns={{
        Asked: {
          phone: "left",
          cell: ({ action, outcome }) =>
            `${auditLabel(`operations.${action}`)}${outcome === undefined ? "" : `: ${outcome}`}`,
        },
        By: { phone: "right", cell: (row) => row.person },
        When: { phone: "right", cell: (row) => <Time at={row.askedAt} now={at} form="day" /> },
        State: { phone: "full", wrap: true, cell: (row) => row.words },
        Settled: {
          phone: "hidden",
          cell: ({ endedAt }) =>
            endedAt === undefined ? <span className="quiet">not yet</span> : <Time at={endedAt} now={at} form="day" />,
        },
        Reason: {
          phone: "full",
          wrap: true,
          cell: ({ reason }) => reason ?? <span className="quiet">none given</span>,
        },
      }}
    />
  );
}
