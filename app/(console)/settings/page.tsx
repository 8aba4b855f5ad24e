import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { PageProblem } from "@/components/feedback/page-problem";
import { SettingsView } from "@/components/settings/settings-view";
import { readSettings } from "@/console/read/access/read-settings";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const ctx = await consoleContext();
  const settings = await attempt(ctx, () => readSettings(ctx, {}));
  if (!settings.ok) return <PageProblem title="Settings" what="Settings" problem={settings} retryHref="/settings" />;
  return <SettingsView settings={settings.value} />;
}
