import type { ReactNode } from "react";
import styles from "./notice.module.css";

interface NoticeProps {
  /** Amber: the reader must be careful. Red: we failed. Grey: all else. */
  readonly tone?: "plain" | "doubt" | "broken" | undefined;
  readonly title: string;
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  /** Announced at once: for what happened because of a click. */
  readonly announce?: boolean | undefined;
  /** It is all there is on the page: the title is its `h1`. */
  readonly whole?: boolean | undefined;
}

/** What stands where rows would stand. No pictures. */
export function Notice({ tone = "plain", title, text, actions, announce = false, whole = false }: NoticeProps) {
  const Title = whole ? "h1" : "p";
  return (
    <div className={styles["notice"]} data-tone={tone} {...(announce ? { role: "status" } : {})}>
      <Title className={styles["title"]}>{title}</Title>
      {text !== undefined && <div className={styles["text"]}>{text}</div>}
      {actions !== undefined && <div className={styles["actions"]}>{actions}</div>}
    </div>
  );
}

/** Nothing to show: good ("Nothing is unknown and no lease is stale.") or by filter ("No operation matches these 3 filters."). */
export function EmptyState(props: Omit<NoticeProps, "tone" | "announce">) {
  return <Notice {...props} />;
}

/** The question was too wide to be answered quickly; narrower ones are offered. */
export function TooBroad(props: Omit<NoticeProps, "tone" | "announce" | "whole">) {
  return <Notice tone="doubt" {...props} />;
}
