import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { InvariantsView } from "@/components/invariants/invariants-view";
import { readInvariantsPage } from "@/console/read/deployment/read-invariants";

export const metadata: Metadata = { title: "Invariants" };

export default consolePage({
  title: "Invariants",
  what: "The last check",
  path: "/invariants",
  read: readInvariantsPage,
  follow: ({ at }) => ({ page: "invariants", since: at, refresh: "always" }),
  show: (view) => <InvariantsView view={view} />,
});
