import { Link } from "@/components/ui/link";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { whyNotOffered } from "@/components/feedback/not-offered";
import { PageHead, PageTitle } from "@/components/ui/page-head";
import type { OperationPolicyView, PoliciesView } from "@/presentation/views/policies";
import { PolicyForm } from "./policy-form";

export interface PolicyPageProps {
  readonly view: PoliciesView;
  readonly operation: OperationPolicyView;
}

export function PolicyPage({ view, operation }: PolicyPageProps) {
  const version = operation.version === 0 ? "never changed" : `version ${String(operation.version)}`;
  return (
    <DoneKeeper key={operation.operation}>
      <PageHead
        crumb={<Link href="/policies">Policies</Link>}
        lede="An empty field inherits its value. A claimed key keeps the window it was given."
      >
        <PageTitle note={`${operation.route}, ${operation.operation}, ${version}`}>
          Policy of {operation.kind}
        </PageTitle>
      </PageHead>
      <DoneLine />
      <PolicyForm
        view={operation}
        notOffered={whyNotOffered(view.change)}
        providerTimeoutMs={view.providerTimeoutMs}
        everywhereAfterSeconds={view.everywhereAfterSeconds}
      />
    </DoneKeeper>
  );
}
