import { selectNewestLines } from "@/db/audit/checkpoints";
import type { Queryable } from "@/db/client";
import { withTimeout } from "@/domain/with-timeout";
import type { Log } from "../telemetry/log";
import { newer, readCheckpoint, type SignedCheckpoint } from "./checkpoint";
import type { PublicKeys } from "./signing-key";
import { SINK_TIMEOUT_MS, type CheckpointSink } from "./sinks/sink";

export interface KnownCheckpoints {
  /** The newest that is known of a chain, with the copies in the database. */
  newest(chain: string): Promise<SignedCheckpoint | undefined>;
  /** As {@link newest}, of what is in memory. */
  remembered(chain: string): SignedCheckpoint | undefined;
  learn(checkpoint: SignedCheckpoint): void;
  /** Reads the sinks that can be read back. @returns whether all of them answered */
  readSinks(): Promise<boolean>;
  chains(): readonly string[];
}

/** The newest checkpoint of each chain: from memory, from the sinks, and from the copies in the database, whose signatures decide. */
export function createKnownCheckpoints(deps: {
  readonly db: Queryable;
  readonly keys: PublicKeys;
  readonly sinks: readonly CheckpointSink[];
  readonly log: Log;
}): KnownCheckpoints {
  const { db, keys, sinks, log } = deps;
  const known = new Map<string, SignedCheckpoint>();

  function learn(checkpoint: SignedCheckpoint): void {
    const best = newer(known.get(checkpoint.chain), checkpoint);
    if (best !== undefined) known.set(checkpoint.chain, best);
  }

  /** Forged lines count for nothing, so a few of each chain are looked at. */
  function learnLines(lines: readonly string[]): void {
    for (const line of lines) {
      const read = readCheckpoint(line, keys);
      if ("checkpoint" in read) learn(read.checkpoint);
    }
  }

  return {
    async newest(chain) {
      learnLines(await selectNewestLines(db, chain));
      return known.get(chain);
    },
    remembered: (chain) => known.get(chain),
    learn,
    async readSinks() {
      let all = true;
      for (const sink of sinks) {
        if (sink.read === undefined) continue;
        try {
          const lines = await withTimeout(sink.read(), SINK_TIMEOUT_MS, () => {
            throw new Error("it did not answer in time");
          });
          learnLines(lastOfEachChain(lines));
        } catch (error) {
          all = false;
          log.warn({ err: error, reason: sink.name }, "the checkpoints of a sink could not be read back");
        }
      }
      return all;
    },
    chains: () => [...known.keys()],
  };
}

const CHAIN = /"chain":("(?:[^"\\]|\\.)*")/;
const LINES_OF_A_CHAIN = 10;

/** Of a long file only the last lines of each chain: their signatures are checked, which takes its time. */
function lastOfEachChain(lines: readonly string[]): readonly string[] {
  const last = new Map<string, string[]>();
  for (const line of lines) {
    const chain = CHAIN.exec(line)?.[1] ?? "";
    const kept = last.get(chain) ?? [];
    kept.push(line);
    if (kept.length > LINES_OF_A_CHAIN) kept.shift();
    last.set(chain, kept);
  }
  return [...last.values()].flat();
}
