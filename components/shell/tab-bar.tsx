"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { formatCount } from "@/presentation/format/display-time";
import { useLive } from "./live-provider";
import { groupOf } from "./navigation";
import styles from "./sections.module.css";

/** The bottom bar of the phone: three groups and Find, each with one line of trouble. */
export function TabBar() {
  const path = usePathname();
  const { counts } = useLive();
  const group = path.startsWith("/find") ? "Find" : groupOf(path);
  const doubt = counts.attention ?? 0;
  const dead = counts.deadLetters ?? 0;
  // Counts that did not load are not zero.
  const known = counts.attention !== undefined && counts.deadLetters !== undefined;
  const work =
    doubt > 0
      ? { text: `${formatCount(doubt)} in doubt`, tone: "doubt" }
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
