"use client";

import { useMantineColorScheme, type MantineColorScheme } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import styles from "./top-bar.module.css";

const NEXT: Readonly<Record<MantineColorScheme, MantineColorScheme>> = { light: "dark", dark: "auto", auto: "light" };
const WORD: Readonly<Record<MantineColorScheme, string>> = { light: "Light", dark: "Dark", auto: "System" };

/** Light, dark, system, in turn. */
export function ThemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // The server cannot know the choice; it writes the default and the browser corrects the word, not the colours.
  const scheme = useMounted() ? colorScheme : "auto";
  return (
    <button
      type="button"
      className={styles["item"]}
      data-wide
      onClick={() => {
        setColorScheme(NEXT[scheme]);
      }}
    >
      <i>Theme</i> <b className={styles["themeWord"]}>{WORD[scheme]}</b>
    </button>
  );
}
