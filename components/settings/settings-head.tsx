import Link from "next/link";
import type { ReactNode } from "react";
import { PageHead } from "@/components/ui/page-head";
import { Verdict, type ClauseProps } from "@/components/ui/verdict";
import { SettingsTabs, type SettingsPlace } from "./settings-tabs";

interface SettingsHeadProps {
  readonly here: SettingsPlace;
  readonly clauses: readonly ClauseProps[];
  readonly lede: ReactNode;
  readonly aside?: ReactNode;
}

/** The head of a place of settings: its sentence, and the way to the others. */
export function SettingsHead({ here, clauses, lede, aside }: SettingsHeadProps) {
  return (
    <>
      <PageHead crumb={<Link href="/settings">Settings</Link>} lede={lede} aside={aside}>
        <Verdict clauses={clauses} />
      </PageHead>
      <SettingsTabs here={here} />
    </>
  );
}
