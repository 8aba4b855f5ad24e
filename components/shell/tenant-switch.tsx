"use client";

import { useId } from "react";
import popup from "@/components/ui/popup.module.css";
import { usePopup } from "@/components/ui/use-popup";
import styles from "./top-bar.module.css";

export interface TenantSwitchProps {
  readonly tenant: string;
  readonly tenants: readonly { readonly name: string; readonly href: string }[];
}

/** The tenant as a word; a menu when there is another one to look into. */
export function TenantSwitch({ tenant, tenants }: TenantSwitchProps) {
  const { open, toggle, root, button } = usePopup();
  const id = useId();
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
    <div ref={root} className={popup["root"]}>
      <button
        ref={button}
        type="button"
        className={styles["item"]}
        data-wide
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={toggle}
      >
        {words}
      </button>
      {open && (
        <ul id={id} className={`${popup["panel"] ?? ""} ${styles["tenants"] ?? ""}`} data-popup data-side="right">
          {tenants.map((other) => (
            <li key={other.name}>
              {/* A whole new page: counts and frame belong to the tenant too. */}
              <a href={other.href} aria-current={other.name === tenant ? "true" : undefined}>
                {other.name}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
