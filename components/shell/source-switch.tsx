"use client";

import { usePathname } from "next/navigation";
import { below } from "@/components/ui/base-path";
import { Popup } from "@/components/ui/popup";
import styles from "./top-bar.module.css";

export interface SourceLink {
  readonly name: string;
  readonly href: string;
}

interface SourceSwitchProps {
  readonly tenant: string;
  /** Tenants that this person may look into. */
  readonly tenants: readonly SourceLink[];
  /** Attached databases of the tenant. */
  readonly sources: readonly SourceLink[];
}

/** The tenant as a word, and the attached database that one is in; a menu when there is another one to look into. */
export function SourceSwitch({ tenant, tenants, sources }: SourceSwitchProps) {
  const [, first, inside] = usePathname().split("/");
  const here = first === "sources" ? sources.find(({ name }) => name === inside) : undefined;
  const words = (
    <>
      <i>{here === undefined ? "Tenant" : "Source"}</i>{" "}
      <b>{here === undefined ? tenant : `${tenant} · ${here.name}`}</b>
    </>
  );
  if (tenants.length < 2 && sources.length === 0)
    return (
      <span className={styles["item"]} data-wide>
        {words}
      </span>
    );
  const shown = tenants.length > 0 ? tenants : [{ name: tenant, href: "/" }];
  return (
    <Popup wide label={sources.length === 0 ? "Tenants" : "Sources"} className={styles["item"]} button={words}>
      <ul className={styles["tenants"]}>
        {shown.map((other) => (
          <li key={other.name}>
            {/* A whole new page: counts and frame belong to the tenant too. */}
            <a href={below(other.href)} aria-current={other.name === tenant && here === undefined ? "true" : undefined}>
              {other.name}
            </a>
            {other.name === tenant && sources.length > 0 && (
              <ul>
                {sources.map((source) => (
                  <li key={source.name}>
                    <a href={below(source.href)} aria-current={source === here ? "true" : undefined}>
                      <span className="quiet">{tenant} ·</span> {source.name}
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </Popup>
  );
}
