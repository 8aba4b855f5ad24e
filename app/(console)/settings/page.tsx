import type { Metadata } from "next";
import { showPage } from "@/app/_server/show-page";
import { SettingsView } from "@/components/settings/settings-view";
import { readSettings } from "@/console/read/access/read-settings";

export const metadata: Metadata = { title: "Settings" };

export default function SettingsPage() {
  return showPage(
    { title: "Settings", what: "Settings", address: "/settings" },
    (ctx) => readSettings(ctx, {}),
    (settings) => <SettingsView settings={settings} />,
  );
}
