import type { Metadata } from "next";
import { showPage } from "@/app/_server/show-page";
import { InvariantsView } from "@/components/invariants/invariants-view";
import { FollowPage } from "@/components/shell/live-provider";
import { readInvariantsPage } from "@/console/read/deployment/read-invariants";

export const metadata: Metadata = { title: "Invariants" };

export default function InvariantsPage() {
  return showPage(
    { title: "Invariants", what: "The last check", address: "/invariants" },
    readInvariantsPage,
    (view) => (
      <FollowPage page="invariants" since={view.at} refresh="always">
        <InvariantsView view={view} />
      </FollowPage>
    ),
  );
}
