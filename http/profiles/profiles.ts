import type { WireProfile } from "@/domain/access/permission";
import { articleRenderer } from "./article";
import { createProfile, type ErrorProfile, type Renderer } from "./renderer";
import { faultRenderer } from "./fault";
import { playbookRenderer } from "./playbook";
import { problemRenderer } from "./problem";

export const RENDERERS: Readonly<Record<WireProfile, Renderer>> = {
  problem: problemRenderer,
  playbook: playbookRenderer,
  fault: faultRenderer,
  article: articleRenderer,
};

/** @returns the profile of a key; the default one for a caller whom nobody knows yet. */
export function errorProfileOf(name: WireProfile = "problem"): ErrorProfile {
  return createProfile(RENDERERS[name]);
}
