import type { Preset } from "../contract/preset";
import { cap } from "./cap";

/** Every preset, in the order in which `onceboard attach` lists them. */
export const PRESETS: readonly Preset[] = [cap];
