import { Brand } from "./brand";
import { FindBox } from "./find-box";
import { ClockButton, LiveButton, ThemeButton } from "./top-bar-buttons";
import { PaletteButton } from "./palette/palette-button";
import { SourceSwitch, type SourceLink } from "./source-switch";
import styles from "./top-bar.module.css";

export interface TopBarProps {
  readonly environment: string;
  readonly tenant: string;
  readonly tenants: readonly { readonly name: string; readonly href: string }[];
  /** Attached databases of the tenant. */
  readonly sources?: readonly SourceLink[] | undefined;
  readonly now: string;
}

/** 52 px, words only: find, where you are, how fresh it is, which clock, which light. */
export function TopBar({ environment, tenant, tenants, sources = [], now }: TopBarProps) {
  return (
    <header className={styles["top"]}>
      <span className={styles["topBrand"]}>
        <Brand />
      </span>
      <FindBox />
      <PaletteButton />
      <span className="grow" />
      <span className={styles["environment"]} data-real={environment === "Production" || undefined}>
        {environment}
      </span>
      <SourceSwitch tenant={tenant} tenants={tenants} sources={sources} />
      <LiveButton />
      <ClockButton now={now} />
      <ThemeButton />
    </header>
  );
}
