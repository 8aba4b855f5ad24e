import { below } from "@/components/ui/base-path";
import { Brand } from "./brand";
import { FindBox } from "./find-box";
import { ClockButton, LiveButton, ThemeButton } from "./top-bar-buttons";
import { PaletteButton } from "./palette/palette-button";
import { Popup } from "@/components/ui/popup";
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

interface TenantSwitchProps {
  readonly tenant: string;
  readonly tenants: readonly { readonly name: string; readonly href: string }[];
}

/** The tenant as a word; a menu when there is another one to look into. */
export function TenantSwitch({ tenant, tenants }: TenantSwitchProps) {
  const words = (
    <>
      <i>Tenant</i> <b>{tenant}</b>
    </>
  );
  if (tenants.length < 2)
    return (
      <span className={styles["item"]} data-wide>
        {words}
      </span>
    );
  return (
    <Popup wide label="Tenants" className={styles["item"]} button={words}>
      <ul className={styles["tenants"]}>
        {tenants.map((other) => (
          <li key={other.name}>
            {/* A whole new page: counts and frame belong to the tenant too. */}
            <a href={below(other.href)} aria-current={other.name === tenant ? "true" : undefined}>
              {other.name}
            </a>
          </li>
        ))}
      </ul>
    </Popup>
  );
}
