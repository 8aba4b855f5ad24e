import { selectChainHead, selectChainPart, selectUncovered, type ChainHead } from "@/db/audit/select-chain";
import { DANGEROUS_ACTIONS } from "@/domain/access/dangerous";
import { signCheckpoint, type SignedCheckpoint } from "./checkpoint";
import { CHAIN_BATCH, chainBegin, endFlaw, walkChain, type Broken, type ChainPlace } from "./walk-chain";
import type { WitnessState } from "./witness-state";

export type Covered = "even" | "made" | "broken";

/** Makes checkpoints, chain by chain. @returns covers one chain, when it is due or always */
export function createCover(state: WitnessState) {
  const { db, keys, known, clock, everyMs } = state;
  /** When an entry without a checkpoint was first seen, by chain: by this process's clock, whatever the database says. */
  const seen = new Map<string, number>();

  async function due(chain: string, newest: SignedCheckpoint | undefined): Promise<boolean> {
    if (newest === undefined) return true;
    const since = seen.get(chain) ?? clock();
    seen.set(chain, since);
    if (clock() - since >= everyMs) return true;
    return (await selectUncovered(db, chain, newest.sequence, DANGEROUS_ACTIONS)).listed;
  }

  return async function cover(head: ChainHead, always: boolean): Promise<Covered> {
    const { chain } = head;
    if (isEven(head, known.remembered(chain))) return "even";
    const newest = await known.newest(chain);
    if (isEven(head, newest)) return "even";
    const begin = await placeOf(state, chain, newest);
    if (!("flaw" in begin) && !always && !(await due(chain, newest))) return "even";
    const walked = "flaw" in begin ? begin : await walkBehind(state, chain, begin, newest);
    if ("flaw" in walked) {
      await state.report(chain, walked, newest);
      return "broken";
    }
    seen.delete(chain);
    if (newest !== undefined && walked.sequence === newest.sequence) return "even";
    const signedFrom = newest?.signedFrom ?? walked.lastUnsigned + 1n;
    await state.keep(checkpointAt(state, chain, walked, { signedFrom, epoch: newest?.epoch ?? 0 }));
    return "made";
  };

  async function walkBehind(
    { db: q }: WitnessState,
    chain: string,
    begin: ChainPlace,
    newest: SignedCheckpoint | undefined,
  ): Promise<ChainPlace | Broken> {
    // Read again, before the entries: the one at hand may be older than a checkpoint of another process.
    const head = await selectChainHead(q, chain);
    const part = (from: bigint) => selectChainPart(q, chain, from, CHAIN_BATCH);
    const rules = { keys, signedFrom: newest?.signedFrom, hashes: new Map<bigint, string>() };
    const { place, broken } = await walkChain(begin, part, rules);
    return broken ?? endFlaw(place, { head, checkpoint: newest?.sequence }) ?? place;
  }
}

function isEven({ sequence, hash }: ChainHead, checkpoint: SignedCheckpoint | undefined): boolean {
  if (checkpoint === undefined) return false;
  return checkpoint.sequence === (sequence ?? 0n) && (hash ?? checkpoint.hash) === checkpoint.hash;
}

/** @returns the place of the newest checkpoint, from which what is behind it can be walked */
async function placeOf(
  { db }: WitnessState,
  chain: string,
  newest: SignedCheckpoint | undefined,
): Promise<ChainPlace | Broken> {
  if (newest === undefined || newest.sequence === 0n) return chainBegin(chain);
  const [entry] = await selectChainPart(db, chain, newest.sequence, 1);
  if (entry?.sequence !== newest.sequence) return { at: newest.sequence, flaw: "the end of the chain was cut" };
  if (entry.hash !== newest.hash) return { at: newest.sequence, flaw: "an entry differs from its checkpoint" };
  const { sequence, hash, version } = entry;
  return { sequence, hash, version, lastUnsigned: 0n, ofServices: 0n };
}

export function checkpointAt(
  { key, now }: WitnessState,
  chain: string,
  { sequence, hash }: ChainPlace,
  rest: { readonly signedFrom: bigint; readonly epoch: number; readonly reason?: string },
): SignedCheckpoint {
  return signCheckpoint({ chain, sequence, hash, at: now().toISOString(), entries: sequence, ...rest }, key);
}
