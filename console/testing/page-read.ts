import type { EngineContext } from "@/engine/context";
import type { PageSamples } from "./page-samples";

/** One read of a page, as its address asks for it. */
export interface PageRead {
  /** The page and what is asked of it, e.g. `/operations?sort=amount`. */
  readonly name: string;
  readonly read: (ctx: EngineContext, samples: PageSamples) => Promise<unknown>;
}
