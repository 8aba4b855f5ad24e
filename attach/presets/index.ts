import type { Preset } from "../contract/preset";
import { brandur } from "./brandur";
import { cap } from "./cap";
import { graphileJobs } from "./graphile-worker";
import { idempotJs } from "./idempot-js";
import { nestarcIdempotency } from "./nestarc-idempotency";
import { nodeIdempotency } from "./node-idempotency";
import { oban } from "./oban";
import { pgBoss10 } from "./pg-boss-10";
import { pgBoss11 } from "./pg-boss-11";
import { river } from "./river";

/** Every preset, in the order in which `onceboard attach` lists them. */
export const PRESETS: readonly Preset[] = [
  brandur,
  cap,
  graphileJobs,
  idempotJs,
  nestarcIdempotency,
  nodeIdempotency,
  oban,
  pgBoss10,
  pgBoss11,
  river,
];
