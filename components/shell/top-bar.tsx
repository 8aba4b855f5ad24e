import { Brand } from "./brand";
import { ClockButton } from "./clock-button";
import { FindBox } from "./find-box";
import { LiveButton } from "./live-button";
import { PaletteButton } from "./palette/palette-button";
import { TenantSwitch } from "./tenant-switch";
import { ThemeButton } from "./theme-button";
import styles from "./top-bar.module.css";

export interface TopBarProps {
  readonly environment: string;
  readonly tenant: string;
  readonly tenants: readonly { readonly name: string; readonly href: string }[];
  readonly now: string;
}

/** 52 px, words only: find, where you are, how fresh it is, which clock, which light. */
export function TopBar({ environment, tenant, tenants, now }: TopBarProps) {
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
      <TenantSwitch tenant={tenant} tenants={tenants} />
      <LiveButton />
      <ClockButton now={now} />
      <ThemeButton />
    </header>
  );
}
