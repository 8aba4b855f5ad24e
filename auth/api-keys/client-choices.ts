import { SCOPES, WIRE_PROFILES } from "@/domain/access/permission";
import type { ClientChoices } from "@/presentation/views/clients";

/** Keys of one client that open at the same time: enough for two rotations at once. */
export const MAX_LIVE_KEYS = 10;
/** How long the old key goes on after a rotation, when nobody chooses, and at the most. */
export const KEY_OVERLAP_HOURS = 24;
export const KEY_OVERLAP_MAX_HOURS = 720;

/** What the forms of clients and keys offer. */
export const CLIENT_CHOICES: ClientChoices = {
  scopes: SCOPES,
  profiles: WIRE_PROFILES,
  overlapHours: KEY_OVERLAP_HOURS,
  maxLiveKeys: MAX_LIVE_KEYS,
};
