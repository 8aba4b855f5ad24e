import type { WireProfile } from "@/domain/access/permission";
import { articleRenderer } from "./article";
import { createProfile } from "./renderer";
import { faultRenderer } from "./fault";
import { playbookRenderer } from "./playbook";
import { problemRenderer } from "./problem";
import type { ErrorProfile } from "./profile";

const PROFILES: Readonly<Record<WireProfile, ErrorProfile>> = {
  problem: createProfile(problemRenderer),
  playbook: createProfile(playbookRenderer),
  fault: createProfile(faultRenderer),
  article: createProfile(articleRenderer),
};

/** @returns the profile of a key; the default one for a caller whom nobody knows yet. */
export function errorProfileOf(name: WireProfile | undefined): ErrorProfile {
  return PROFILES[name ?? "problem"];
}
