import { Link } from "./link";
import type { ReactNode } from "react";
import styles from "./button.module.css";

export interface ButtonLook {
  /** Filled in accent: the one thing this place is for. */
  readonly primary?: boolean | undefined;
  /** 26 px, in rows. */
  readonly small?: boolean | undefined;
  readonly wide?: boolean | undefined;
}

/** @returns the attributes of an element that looks like a button: 32 px, words only; 44 px on the phone */
export function buttonLook({ primary, small, wide }: ButtonLook) {
  return {
    className: styles["button"] ?? "",
    "data-variant": primary === true ? "filled" : "default",
    "data-small": small,
    "data-wide": wide,
  };
}

interface ButtonProps extends ButtonLook {
  readonly children: ReactNode;
  readonly onClick?: (() => void) | undefined;
  readonly type?: "button" | "submit" | undefined;
  readonly disabled?: boolean | undefined;
  /** Why it is off; also read by screen readers. Implies `disabled`. */
  readonly notOffered?: string | undefined;
}

export function Button({ children, onClick, type = "button", disabled, notOffered, ...look }: ButtonProps) {
  return (
    <button
      {...buttonLook(look)}
      type={type}
      disabled={disabled === true || notOffered !== undefined}
      title={notOffered}
      aria-description={notOffered}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

interface ButtonLinkProps extends ButtonLook {
  readonly href: string;
  /** Accessible name where the same words stand in every row; it begins with them: "Decide on Payment order-1". */
  readonly label?: string | undefined;
  readonly children: ReactNode;
}

/** A link that looks like a button: goes somewhere, changes nothing. */
export function ButtonLink({ children, href, label, ...look }: ButtonLinkProps) {
  return (
    <Link {...buttonLook(look)} data-plain href={href} aria-label={label}>
      {children}
    </Link>
  );
}
