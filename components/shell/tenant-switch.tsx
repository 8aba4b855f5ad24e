"use client";

import { Menu } from "@mantine/core";
import styles from "./top-bar.module.css";

export interface TenantSwitchProps {
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
    <Menu position="bottom-end" transitionProps={{ duration: 120 }}>
      <Menu.Target>
        <button type="button" className={styles["item"]} data-wide>
          {words}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {tenants.map((other) => (
          // A whole new page: counts and frame belong to the tenant too.
          <Menu.Item key={other.name} component="a" href={other.href}>
            {other.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
