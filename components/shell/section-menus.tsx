"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { useLive } from "./live-provider";
import { NavCount, PlaceLinks } from "./nav-count";
import { NAVIGATION, countOf, groupOf } from "./navigation";
import styles from "./sections.module.css";

/** Below 1200 px the sidebar becomes three menus under the top bar; on the phone, the places of the current group. */
export function SectionMenus() {
  const path = usePathname();
  const { counts } = useLive();
  const root = useRef<HTMLElement>(null);
  const current = groupOf(path);

  useEffect(() => {
    for (const menu of root.current?.querySelectorAll("details") ?? []) menu.open = false;
    // The phone has one line for a group: the place that one is in stays in sight.
    const line = root.current;
    const here = line?.querySelector("[data-siblings] [aria-current]")?.getBoundingClientRect();
    if (line === null || here === undefined) return;
    line.scrollLeft += here.left + here.width / 2 - line.clientWidth / 2;
  }, [path]);

  return (
    <nav className={styles["menus"]} aria-label="Places" ref={root}>
      {NAVIGATION.map((group) => {
        const trouble = group.items.find((item) => item.trouble !== undefined && countOf(item, counts) > 0);
        return (
          <details key={group.label} name="section">
            <summary aria-current={group.label === current ? "true" : undefined}>
              {group.label}
              {trouble !== undefined && <NavCount item={trouble} count={countOf(trouble, counts)} />}
            </summary>
            <div className={styles["menu"]}>
              <PlaceLinks items={group.items} />
            </div>
          </details>
        );
      })}
      <div className={styles["siblings"]} data-siblings>
        <PlaceLinks items={NAVIGATION.find((group) => group.label === current)?.items ?? []} />
      </div>
    </nav>
  );
}
