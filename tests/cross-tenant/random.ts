import { createHash } from "node:crypto";

/** Choices that follow from a seed, so that a probe can be made again. */
export interface Random {
  /** @returns a whole number from 0 to `limit` - 1 */
  below(limit: number): number;
  /** @throws Error for an empty list */
  pick<Value>(from: readonly Value[]): Value;
}

const HEX = 12;

export function randomOf(seed: string): Random {
  let drawn = 0;
  const below = (limit: number): number => {
    const digest = createHash("sha256")
      .update(`${seed}:${String((drawn += 1))}`)
      .digest("hex");
    return Number.parseInt(digest.slice(0, HEX), 16) % limit;
  };
  return {
    below,
    pick(from) {
      const chosen = from[below(from.length)];
      if (chosen === undefined) throw new Error("nothing to choose from");
      return chosen;
    },
  };
}
