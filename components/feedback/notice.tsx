import type { ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button";
import { Id } from "@/components/ui/values/id";
import styles from "./notice.module.css";

export interface NoticeProps {
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
export function EmptyState({ title, text, actions, whole }: Omit<NoticeProps, "tone" | "announce">) {
  return <Notice title={title} text={text} actions={actions} whole={whole} />;
}

export interface ErrorStateProps {
  /** "The list did not load." */
  readonly title: string;
  readonly text?: ReactNode;
  readonly requestId?: string | undefined;
  readonly retryHref: string;
}

/** We failed; what is still right is said. */
export function ErrorState({ title, text, requestId, retryHref }: ErrorStateProps) {
  return (
    <Notice
      tone="broken"
      title={title}
      text={
        <>
          {text}
          {requestId !== undefined && (
            <>
              {" "}
              Request <Id value={requestId} mark />
            </>
          )}
        </>
      }
      actions={
        <ButtonLink small href={retryHref}>
          Try again
        </ButtonLink>
      }
    />
  );
}

/** The question was too wide to be answered quickly; narrower ones are offered. */
export function TooBroad({ title, text, actions }: Omit<NoticeProps, "tone" | "announce">) {
  return <Notice tone="doubt" title={title} text={text} actions={actions} />;
}

export interface AlreadyDoneProps {
  /** "14:43:07". */
  readonly at: string;
  /** "1 settled, 0 skipped." */
  readonly text: string;
  readonly actions?: ReactNode;
}

export function AlreadyDone({ at, text, actions }: AlreadyDoneProps) {
  return (
    <Notice
      announce
      title="Already done."
      text={`This is the answer of your first click at ${at}: ${text} Nothing ran twice.`}
      actions={actions}
    />
  );
}
