import { glyphTone, type GlyphName, type Tone } from "@/presentation/format/glyph";
import { GLYPH_ART } from "./glyph-art";
import styles from "./glyph.module.css";

export interface GlyphProps {
  readonly name: GlyphName;
  readonly size?: 11 | 12 | 14 | 16 | 24 | 40 | undefined;
  /** Colour by meaning; `inherit` takes the colour of the text around. */
  readonly tone?: Tone | "inherit" | undefined;
  /** Only for a glyph without a word beside it. */
  readonly label?: string | undefined;
}

/** One drawn state. Silent for screen readers unless it stands alone and has a label. */
export function Glyph({ name, size = 16, tone, label }: GlyphProps) {
  return (
    <svg
      className={styles["glyph"]}
      data-tone={tone ?? glyphTone(name)}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      {...(label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
    >
      {GLYPH_ART[name]}
    </svg>
  );
}
