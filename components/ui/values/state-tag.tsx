import type { ReactNode } from "react";
import { glyphTone, glyphWord, type GlyphName, type Tone } from "@/presentation/format/glyph";
import { Glyph } from "./glyph";
import styles from "./state-tag.module.css";

export interface StateTagProps {
  readonly name: GlyphName;
  /** Other words beside the same glyph, e.g. "Payment". Default: the word of the state. */
  readonly children?: ReactNode;
  /** Colour of the word; default follows the state. `ink` keeps the word calm beside a coloured glyph. */
  readonly tone?: Tone | undefined;
}

/** Glyph and word. UNKNOWN_REQUIRES_RECOVERY is the only state with a filled tag. */
export function StateTag({ name, children, tone }: StateTagProps) {
  const word = children ?? glyphWord(name);
  if (name === "UNKNOWN_REQUIRES_RECOVERY" && tone === undefined) {
    return (
      <span className={styles["filled"]}>
        <Glyph name={name} tone="inherit" />
        {word}
      </span>
    );
  }
  return (
    <span className={styles["state"]} data-tone={tone ?? glyphTone(name)}>
      <Glyph name={name} />
      <span>{word}</span>
    </span>
  );
}
