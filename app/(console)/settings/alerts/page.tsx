import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { AlertsView } from "@/components/alerts/alerts-view";
import { readAlerts } from "@/console/alerts/read-alerts";

export const metadata: Metadata = { title: "Alerts" };

export default consolePage({
  title: "Alerts",
  what: "The alerts",
  path: "/settings/alerts",
  read: (ctx) => readAlerts(ctx),
  show: (view) => <AlertsView view={view} />,
});
