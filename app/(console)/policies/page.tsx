import type { Metadata } from "next";
import { processContainer } from "@/app/_server/container";
import { showPage } from "@/app/_server/show-page";
import { PoliciesView } from "@/components/policies/policies-view";
import { FollowPage } from "@/components/shell/live-provider";
import { readPolicies } from "@/console/read/deployment/read-policies";
import { ownersOf } from "@/http/admin/policies";

export const metadata: Metadata = { title: "Policies" };

export default async function PoliciesPage() {
  const owners = ownersOf(await processContainer());
  return showPage(
    { title: "Policies", what: "The policies", address: "/policies" },
    (ctx) => readPolicies(ctx, owners),
    (view) => (
      <FollowPage page="policies" since={view.at} refresh="ask">
        <PoliciesView view={view} />
      </FollowPage>
    ),
  );
}
