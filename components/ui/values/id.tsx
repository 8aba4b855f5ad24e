"use client";

import { cutMiddle } from "@/presentation/format/cut-middle";
import { useCopy } from "./use-copy";
import styles from "./id.module.css";

export interface IdProps {
  /** The whole id, key or reference. */
  readonly value: string;
  /** Shown in full. */
  readonly full?: boolean | undefined;
  /** Text only, no copying: inside links and rows. */
  readonly plain?: boolean | undefined;
  /** Ink instead of ink 2. */
  readonly strong?: boolean | undefined;
  /** Shows the small copy mark beside it. */
  readonly mark?: boolean | undefined;
}

/** Where it may break at all, it breaks where it was cut. */
function Parts({ text }: { readonly text: string }) {
  const cut = text.indexOf("…") + 1;
  if (cut === 0) return text;
  return (
    <>
      {text.slice(0, cut)}
      <wbr />
      {text.slice(cut)}
    </>
  );
}

/** A mono id, cut in the middle, whole in its title; a click copies it. */
export function Id({ value, full = false, plain = false, strong = false, mark = false }: IdProps) {
  const clipboard = useCopy();
  const text = full ? value : cutMiddle(value);
  const shared = { className: styles["id"], title: value, "data-strong": strong || undefined };
  if (plain)
    return (
      <span {...shared}>
        <Parts text={text} />
      </span>
    );
  return (
    <button
      {...shared}
      type="button"
      data-copied={clipboard.copied || undefined}
      aria-label={`Copy ${value}`}
      onClick={() => {
        clipboard.copy(value);
      }}
    >
      {text}
      {mark && (
        <svg width="12" height="12" viewBox="0 0 16 16" aria-hidden>
          <rect x="5.5" y="5.5" width="7.5" height="7.5" rx="1.5" />
          <path d="M10.5 3H4.5A1.5 1.5 0 0 0 3 4.5v6" />
        </svg>
      )}
      <span className={styles["said"]} role="status">
        {clipboard.copied ? "copied" : ""}
      </span>
    </button>
  );
}
