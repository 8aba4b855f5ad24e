import { selectChainPart } from "@/db/audit/select-chain";
import { createChainChecks } from "./check-chains";
import type { SignedCheckpoint } from "./checkpoint";
import { checkpointAt, createCover } from "./cover-chain";
import { CHAIN_BATCH, chainBegin, walkChain } from "./walk-chain";
import { createWitnessState, type WitnessDeps, type WitnessState } from "./witness-state";

/** What one turn did, summed over chains and sinks. */
export interface WitnessTurn {
  readonly chains: number;
  readonly made: number;
  readonly broken: number;
  readonly sent: number;
  /** Sinks that do not take what waits for them. */
  readonly failing: number;
}

export type Witness = ReturnType<typeof createWitness>;

/**
 * Makes checkpoints of all chains, brings them out of the database, and holds the chains against them. Any number of processes may:
 * each goes on from the newest that it knows, and what two make of one entry says the same.
 */
export function createWitness(given: Omit<WitnessDeps, "clock" | "now"> & Partial<Pick<WitnessDeps, "clock" | "now">>) {
  const state = createWitnessState({ clock: () => performance.now(), now: () => new Date(), ...given });
  const cover = createCover(state);
  let sinksRead = false;
  return {
    /** @param options.always whatever is new, not only what is dangerous or has waited */
    async turn(
      options: { readonly always?: boolean; readonly signal?: AbortSignal | undefined } = {},
    ): Promise<WitnessTurn> {
      sinksRead ||= await state.known.readSinks();
      const sum = { chains: 0, made: 0, broken: 0, even: 0 };
      for await (const head of state.everyChain()) {
        if (options.signal?.aborted === true) break;
        sum.chains += 1;
        sum[await cover(head, options.always === true)] += 1;
      }
      const { chains, made, broken } = sum;
      return { chains, made, broken, ...(await deliver(state)) };
    },
    check: createChainChecks(state),
    restart: (chain: string, reason: string) => restart(state, chain, reason),
    newest: (chain: string): Promise<SignedCheckpoint | undefined> => state.known.newest(chain),
    async close(): Promise<void> {
      await Promise.all(state.sinks.map((sink) => sink.close()));
    },
  };
}

async function deliver({ deliveries }: WitnessState): Promise<Pick<WitnessTurn, "sent" | "failing">> {
  let [sent, failing] = [0, 0];
  for (const delivery of deliveries) {
    const done = await delivery.turn();
    sent += done.sent;
    failing += done.failing;
  }
  return { sent, failing };
}

/**
 * Says that checkpoints of before count no more for a chain, after a restore for example: only whoever has the key can.
 * @param reason kept in the checkpoint, for whoever verifies
 * @throws Error in one sentence when the chain does not hold by itself
 */
async function restart(state: WitnessState, chain: string, reason: string): Promise<SignedCheckpoint> {
  const { db, keys, known } = state;
  await known.readSinks();
  const newest = await known.newest(chain);
  const part = (from: bigint) => selectChainPart(db, chain, from, CHAIN_BATCH);
  const { place, broken } = await walkChain(chainBegin(chain), part, {
    keys,
    signedFrom: undefined,
    hashes: new Map(),
  });
  if (broken !== undefined)
    throw new Error(`The chain does not hold by itself: ${broken.flaw}, at #${String(broken.at)}.`);
  const made = checkpointAt(state, chain, place, {
    signedFrom: place.lastUnsigned + 1n,
    epoch: (newest?.epoch ?? 0) + 1,
    reason,
  });
  await state.keep(made);
  await deliver(state);
  return made;
}
