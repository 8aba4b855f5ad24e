import { Tabs } from "@/components/ui/tabs";

const TABS = [
  { href: "/settings", label: "Deployment" },
  { href: "/settings/people", label: "People" },
  { href: "/settings/sessions", label: "Your sessions" },
  { href: "/settings/security", label: "Your security" },
  { href: "/settings/permissions", label: "Permissions" },
  { href: "/settings/webhooks", label: "Webhook endpoints" },
] as const;

export type SettingsPlace = (typeof TABS)[number]["href"];

export function SettingsTabs({ here }: { readonly here: SettingsPlace }) {
  return <Tabs label="Settings" tabs={TABS.map((tab) => ({ ...tab, current: tab.href === here }))} />;
}
