import type { WireProfile } from "@/domain/permission";
import { problemProfile } from "./problem";
import type { Profile } from "./profile";

/** The API key chooses the dress (CONTRACT, "Errors"). */
const PROFILES: Partial<Record<WireProfile, Profile>> = {
  problem: problemProfile,
};

/** @returns the profile of a key; the default one for a caller whom nobody knows yet. */
export function profileOf(name: WireProfile | undefined): Profile {
  return (name && PROFILES[name]) ?? problemProfile;
}
