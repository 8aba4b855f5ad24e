import type { WireProfile } from "@/domain/access/permission";
import { articleRenderer } from "./article";
import { createProfile, type Renderer } from "./renderer";
import { faultRenderer } from "./fault";
import { playbookRenderer } from "./playbook";
import { problemRenderer } from "./problem";

export const RENDERERS: Readonly<Record<WireProfile, Renderer>> = {
  problem: problemRenderer,
  playbook: playbookRenderer,
  fault: faultRenderer,
  article: articleRenderer,
};

const PROFILES = {
  problem: createProfile(RENDERERS.problem),
  playbook: createProfile(RENDERERS.playbook),
  fault: createProfile(RENDERERS.fault),
  article: createProfile(RENDERERS.article),
} satisfies Record<WireProfile, unknown>;

/** @returns the profile of a key; the default one for a caller whom nobody knows yet. */
export function errorProfileOf(name: WireProfile = "problem") {
  return PROFILES[name];
}
