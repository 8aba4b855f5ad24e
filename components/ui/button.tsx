import Link from "next/link";
import type { ReactNode } from "react";
import styles from "./button.module.css";

interface Shared {
  readonly children: ReactNode;
  /** Filled in accent: the one thing this place is for. */
  readonly primary?: boolean | undefined;
  /** 26 px, in rows. */
  readonly small?: boolean | undefined;
  /** As wide as its place. */
  readonly wide?: boolean | undefined;
}

export interface ButtonProps extends Shared {
  readonly onClick?: (() => void) | undefined;
  readonly type?: "button" | "submit" | undefined;
  readonly disabled?: boolean | undefined;
  /** Why it is off; also read by screen readers. Implies `disabled`. */
  readonly notOffered?: string | undefined;
}

/** A button: 32 px, words only; 44 px on the phone. */
export function Button({
  children,
  primary,
  small,
  wide,
  onClick,
  type = "button",
  disabled,
  notOffered,
}: ButtonProps) {
  const off = disabled === true || notOffered !== undefined;
  return (
    <button
      className={styles["button"] ?? ""}
      data-variant={primary === true ? "filled" : "default"}
      data-small={small}
      data-wide={wide}
      type={type}
      disabled={off}
      {...(notOffered === undefined ? {} : { title: notOffered, "aria-description": notOffered })}
      {...(onClick === undefined ? {} : { onClick })}
    >
      {children}
    </button>
  );
}

export interface ButtonLinkProps extends Shared {
  readonly href: string;
}

/** A link that looks like a button: goes somewhere, changes nothing. */
export function ButtonLink({ children, primary, small, wide, href }: ButtonLinkProps) {
  return (
    <Link
      className={styles["button"] ?? ""}
      data-variant={primary === true ? "filled" : "default"}
      data-small={small}
      data-wide={wide}
      data-plain
      href={href}
      prefetch={false}
    >
      {children}
    </Link>
  );
}
