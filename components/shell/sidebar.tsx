"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { Brand } from "./brand";
import { useLive } from "./live-provider";
import { NavCount } from "./nav-count";
import { NAVIGATION, isCurrent } from "./navigation";
import { SignOut } from "./sign-out";
import styles from "./sidebar.module.css";

/** The left sidebar, 208 px: places as words, counts at their right. */
export function Sidebar({ person }: { readonly person: ShellPerson }) {
  const path = usePathname();
  const { counts } = useLive();
  return (
    <div className={styles["railColumn"]}>
      <aside className={styles["rail"]}>
        <Brand />
        <nav className={styles["nav"]} aria-label="Places">
          {NAVIGATION.map((group) => (
            <div key={group.label}>
              <h2>{group.label}</h2>
              {group.items.map((item) => (
                <Link key={item.href} href={item.href} aria-current={isCurrent(item, path) ? "page" : undefined}>
                  {item.label}
                  <NavCount item={item} count={item.count === undefined ? undefined : counts[item.count]} />
                </Link>
              ))}
            </div>
          ))}
        </nav>
        <div className={styles["person"]}>
          <b>{person.name}</b>
          <br />
          Role: {person.role}. <SignOut />
        </div>
      </aside>
    </div>
  );
}

export interface ShellPerson {
  readonly name: string;
  readonly role: string;
}
