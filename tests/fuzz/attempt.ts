import type { Half } from "./wire";
import type { Caller } from "../cross-tenant/world";
import type { ProbeTarget } from "../cross-tenant/routes";
import type { Random } from "../cross-tenant/random";

/** One thing that is sent, and what may come back. */
export interface Attempt {
  /** What is wrong with it, in a few words. */
  readonly kind: string;
  readonly bytes: Buffer;
  readonly half: Half;
  /** Complete and good requests before the broken one. */
  readonly good: number;
  /** It must be refused, and leave no row. */
  readonly refused: boolean;
}

/** What attempts are made of. */
export interface Material {
  readonly random: Random;
  readonly targets: readonly ProbeTarget[];
  readonly callers: readonly Caller[];
  /** The idempotency key of the request, by which what it left is found. */
  readonly key: string;
  /** The server's own name, as its console has it. */
  readonly authority: string;
}

export type MakeAttempt = (material: Material) => Attempt;
