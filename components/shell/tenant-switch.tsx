import { Popup } from "@/components/ui/popup";
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
    <Popup wide label="Tenants" className={styles["item"]} button={words}>
      <ul className={styles["tenants"]}>
        {tenants.map((other) => (
          <li key={other.name}>
            {/* A whole new page: counts and frame belong to the tenant too. */}
            <a href={other.href} aria-current={other.name === tenant ? "true" : undefined}>
              {other.name}
            </a>
          </li>
        ))}
      </ul>
    </Popup>
  );
}
