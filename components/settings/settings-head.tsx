import Link from "next/link";
import type { ReactNode } from "react";
import { PageHead } from "@/components/ui/page-head";
import type { Clauses } from "@/components/ui/verdict";
import { SettingsTabs, type SettingsPlace } from "./settings-tabs";

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
