import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";
import { PageHead } from "@/components/ui/page-head";
import type { Clauses } from "@/components/ui/verdict";
import { SETTINGS_PLACES } from "@/components/shell/navigation";
import { Tabs } from "@/components/ui/tabs";

interface SettingsHeadProps {
  readonly here: SettingsPlace;
  readonly clauses: Clauses;
  readonly lede: ReactNode;
  readonly aside?: ReactNode;
}

/** The head of a place of settings: its sentence, and the way to the others. */
export function SettingsHead({ here, clauses, lede, aside }: SettingsHeadProps) {
  return (
    <>
      <PageHead crumb={<Link href="/settings">Settings</Link>} verdict={clauses} lede={lede} aside={aside} />
      <SettingsTabs here={here} />
    </>
  );
}

const TABS = [{ href: "/settings", label: "Deployment" }, ...SETTINGS_PLACES] as const;

type SettingsPlace = (typeof TABS)[number]["href"];

export function SettingsTabs({ here }: { readonly here: SettingsPlace }) {
  return <Tabs label="Settings" tabs={TABS.map((tab) => ({ ...tab, current: tab.href === here }))} />;
}
