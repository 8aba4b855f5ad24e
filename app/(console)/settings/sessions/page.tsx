import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { SessionsView } from "@/components/settings/sessions-view";
import { readOwnSessions } from "@/console/read/access/read-people";

export const metadata: Metadata = { title: "Your sessions" };

export default consolePage({
  title: "Your sessions",
  what: "Your sessions",
  path: "/settings/sessions",
  read: (ctx, { request: { operator } }) => readOwnSessions(ctx, operator.sessionId),
  show: (view) => <SessionsView view={view} />,
});
