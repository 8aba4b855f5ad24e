import type { Preset } from "../contract/preset";
import { cap } from "./cap";
import { masstransit } from "./masstransit";
import { modulithV1 } from "./modulith-v1";
import { modulithV2 } from "./modulith-v2";
import { wolverine } from "./wolverine";

/** Every preset, in the order in which `onceboard attach` lists them. */
export const PRESETS: readonly Preset[] = [cap, masstransit, modulithV1, modulithV2, wolverine];
