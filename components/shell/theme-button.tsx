"use client";

import type { Scheme } from "@/components/theme/scheme";
import { setScheme, useScheme } from "@/components/theme/use-scheme";
import styles from "./top-bar.module.css";

const NEXT: Readonly<Record<Scheme, Scheme>> = { light: "dark", dark: "system", system: "light" };
const WORD: Readonly<Record<Scheme, string>> = { light: "Light", dark: "Dark", system: "System" };

export function ThemeButton() {
  const scheme = useScheme();
  return (
    <button
      type="button"
      className={styles["item"]}
      data-wide
      onClick={() => {
        setScheme(NEXT[scheme]);
      }}
    >
      <i>Theme</i> <b className={styles["themeWord"]}>{WORD[scheme]}</b>
    </button>
  );
}
