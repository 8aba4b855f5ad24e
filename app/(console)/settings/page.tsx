import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { SettingsView } from "@/components/settings/settings-view";
import { readSettings } from "@/console/read/access/read-settings";

export const metadata: Metadata = { title: "Settings" };

export default consolePage({
  title: "Settings",
  what: "Settings",
  path: "/settings",
  read: (ctx) => readSettings(ctx, {}),
  show: (settings) => <SettingsView settings={settings} />,
});
