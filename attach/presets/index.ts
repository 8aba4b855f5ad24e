import type { Preset } from "../contract/preset";
import { brandur } from "./brandur";
import { cap } from "./cap";
import { idempotJs } from "./idempot-js";
import { nestarcIdempotency } from "./nestarc-idempotency";
import { nodeIdempotency } from "./node-idempotency";

/** Every preset, in the order in which `onceboard attach` lists them. */
export const PRESETS: readonly Preset[] = [brandur, cap, idempotJs, nestarcIdempotency, nodeIdempotency];
