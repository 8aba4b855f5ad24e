import type { ConfigSource } from "@/engine/module/config";

/** By its key: Next has a copy of its own of every file, also of this one. */
const CONFIG = Symbol.for("onceboard.config");
const holder = globalThis as { [CONFIG]?: ConfigSource };

/** Tells Next's copy of our code, in the same process, what this deployment runs. */
export function shareConfig(source: ConfigSource): void {
  holder[CONFIG] = source;
}

/** @returns what the process was started with; undefined where Next itself was started. */
export function sharedConfig(): ConfigSource | undefined {
  return holder[CONFIG];
}
