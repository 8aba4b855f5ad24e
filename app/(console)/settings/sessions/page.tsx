import type { Metadata } from "next";
import { showPage } from "@/app/_server/show-page";
import { SessionsView } from "@/components/settings/sessions-view";
import { readOwnSessions } from "@/console/read/access/read-people";

export const metadata: Metadata = { title: "Your sessions" };

export default function SessionsPage() {
  return showPage(
    { title: "Your sessions", what: "Your sessions", address: "/settings/sessions" },
    (ctx, { operator }) => readOwnSessions(ctx, operator.sessionId),
    (view) => <SessionsView view={view} />,
  );
}
