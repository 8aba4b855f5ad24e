import type { Metadata } from "next";
import { processContainer } from "@/app/_server/container";
import { consolePage } from "@/app/_server/show-page";
import { PoliciesView } from "@/components/policies/policies-view";
import { readPolicies } from "@/console/read/deployment/read-policies";
import { ownersOf } from "@/http/admin/policies";

export const metadata: Metadata = { title: "Policies" };

export default consolePage({
  title: "Policies",
  what: "The policies",
  path: "/policies",
  read: async (ctx) => readPolicies(ctx, ownersOf(await processContainer())),
  follow: ({ at }) => ({ page: "policies", since: at, refresh: "ask" }),
  show: (view) => <PoliciesView view={view} />,
});
