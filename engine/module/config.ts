import type { Config } from "@/domain/config";
import type { ProviderFacts } from "@/domain/idempotency/provider-capabilities";
import type { Destination, Module } from "./module";

/** The settings of a deployment, read from its environment. */
export type Settings = Config;

/** What this deployment runs. */
export interface OnceboardConfig {
  readonly modules: readonly Module[];
  /** The provider that the modules share; the process lets go of it when it ends. */
  readonly provider?: ProviderFacts & {
    /** The console's badge says "Production" for nothing else. */
    readonly movesRealMoney?: boolean;
    close?(): void | Promise<void>;
  };
  /** Of topics that no module has a destination for. */
  readonly destinations?: readonly Destination[];
}

/** What `onceboard.config.ts` exports by default: a configuration, or a function of the settings that gives it. */
export type ConfigSource = OnceboardConfig | ((settings: Settings) => OnceboardConfig);

/** Types the default export of `onceboard.config.ts`. */
export function defineConfig<Source extends ConfigSource>(source: Source): Source {
  return source;
}

/** By its key: Next has a copy of its own of every file, also of this one. */
const SHARED = Symbol.for("onceboard.config");
const holder = globalThis as { [SHARED]?: ConfigSource };

/** Tells Next's copy of our code, in the same process, what this deployment runs. */
export function shareConfig(source: ConfigSource): void {
  holder[SHARED] = source;
}

/** @returns what the process was started with; undefined where Next itself was started. */
export function sharedConfig(): ConfigSource | undefined {
  return holder[SHARED];
}
