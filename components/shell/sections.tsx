"use client";

import { Link } from "@/components/ui/link";
import { useEffect, useRef } from "react";
import { usePathAhead } from "@/components/navigation/navigation-pending";
import { useLive } from "./live-provider";
import { NavCount, PlaceLinks } from "./nav-count";
import { NAVIGATION, countOf, groupOf } from "./navigation";
import { formatCount } from "@/presentation/format/display-time";
import styles from "./sections.module.css";

/** Below 1200 px the sidebar becomes three menus under the top bar; on the phone, the places of the current group. */
export function SectionMenus() {
  const path = usePathAhead();
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
              {trouble !== undefined && <NavCount item={trouble} />}
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

/** One number has one meaning: in doubt is what is unknown; a lease that is stale is not yet. */
function doubtText(both: number, unknown: number, stale: number): string {
  if (unknown + stale !== both) return `${formatCount(both)} to settle`;
  return unknown > 0 ? `${formatCount(unknown)} in doubt` : `${formatCount(stale)} stale`;
}

/** The bottom bar of the phone: three groups and Find, each with one line of trouble. */
export function TabBar() {
  const path = usePathAhead();
  const { counts } = useLive();
  const group = path.startsWith("/find") ? "Find" : groupOf(path);
  const { unknown = 0, stale = 0 } = counts;
  const doubt = counts.attention ?? 0;
  const dead = counts.deadLetters ?? 0;
  // Counts that did not load are not zero.
  const known = counts.attention !== undefined && counts.deadLetters !== undefined;
  const work =
    doubt > 0
      ? { text: doubtText(doubt, unknown, stale), tone: "doubt" }
      : { text: dead > 0 ? `${formatCount(dead)} dead` : known ? "clear" : "not counted", tone: undefined };
  const violated = counts.violated ?? 0;
  const govern =
    violated > 0
      ? { text: `${formatCount(violated)} violated`, tone: "broken", href: "/invariants" }
      : { text: "audit", tone: undefined, href: "/audit" };
  const tabs = [
    { label: "Watch", href: "/", note: "now", tone: undefined },
    { label: "Work", href: doubt > 0 || dead === 0 ? "/attention" : "/dead-letters", note: work.text, tone: work.tone },
    { label: "Govern", href: govern.href, note: govern.text, tone: govern.tone },
    { label: "Find", href: "/find", note: "key, id", tone: undefined },
  ];
  return (
    <nav className={styles["tabBar"]} aria-label="Sections">
      {tabs.map((tab) => (
        <Link key={tab.label} href={tab.href} aria-current={tab.label === group ? "true" : undefined}>
          {tab.label}
          <small className="toned" data-tone={tab.tone}>
            {tab.note}
          </small>
        </Link>
      ))}
    </nav>
  );
}
