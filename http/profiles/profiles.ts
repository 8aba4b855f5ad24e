import type { WireProfile } from "@/domain/access/permission";
import { articleDress } from "./article";
import { createProfile } from "./dress";
import { faultDress } from "./fault";
import { playbookDress } from "./playbook";
import { problemDress } from "./problem";
import type { Profile } from "./profile";

const PROFILES: Readonly<Record<WireProfile, Profile>> = {
  problem: createProfile(problemDress),
  playbook: createProfile(playbookDress),
  fault: createProfile(faultDress),
  article: createProfile(articleDress),
};

/** @returns the profile of a key; the default one for a caller whom nobody knows yet. */
export function profileOf(name: WireProfile | undefined): Profile {
  return PROFILES[name ?? "problem"];
}
