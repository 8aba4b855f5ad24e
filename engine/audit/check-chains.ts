import { forgetCopies } from "@/db/audit/checkpoints";
import { selectChainHead, selectChainPart } from "@/db/audit/select-chain";
import type { SignedCheckpoint } from "./checkpoint";
import { CHAIN_BATCH, chainBegin, endFlaw, walkChain, type ChainPlace } from "./walk-chain";
import type { WitnessState } from "./witness-state";

/** Where a check of one chain is. */
interface Check {
  readonly place: ChainPlace;
  readonly against: SignedCheckpoint | undefined;
}

export interface CheckTurn {
  readonly checked: number;
  readonly broken: number;
  /** Chains that were not reached in this turn. */
  readonly waiting: number;
}

/** Holds whole chains against their checkpoints, round after round. @returns one turn of it, which goes on where the last one stopped */
export function createChainChecks(state: WitnessState) {
  const { db, keys, known, clock } = state;
  const begun = new Map<string, Check>();
  /** Chains that wait for their check, in this round. */
  const waiting: string[] = [];

  /** @returns undefined when it was stopped on the way */
  async function check(chain: string, more: () => boolean): Promise<"holds" | "broken" | undefined> {
    const { place: begin, against } = begun.get(chain) ?? {
      place: chainBegin(chain),
      against: await known.newest(chain),
    };
    let head = await selectChainHead(db, chain);
    const part = async (from: bigint) => {
      head = await selectChainHead(db, chain);
      return selectChainPart(db, chain, from, CHAIN_BATCH);
    };
    const hashes = new Map(against === undefined ? [] : [[against.sequence, against.hash]]);
    const { place, broken, ended } = await walkChain(
      begin,
      part,
      { keys, signedFrom: against?.signedFrom, hashes },
      more,
    );
    if (!ended) {
      begun.set(chain, { place, against });
      return undefined;
    }
    begun.delete(chain);
    const found = broken ?? endFlaw(place, { head, checkpoint: against?.sequence });
    if (found !== undefined) await state.report(chain, found, against);
    else await state.recordHolds(chain, place.sequence, against);
    return found === undefined ? "holds" : "broken";
  }

  return async function turn(budgetMs: number, signal?: AbortSignal): Promise<CheckTurn> {
    const start = clock();
    const more = (): boolean => clock() - start < budgetMs && signal?.aborted !== true;
    let [checked, broken] = [0, 0];
    if (waiting.length === 0) {
      await known.readSinks();
      await forgetCopies(db);
      for await (const { chain } of state.everyChain()) waiting.push(chain);
    }
    for (let chain = waiting[0]; chain !== undefined; chain = waiting[0]) {
      const result = await check(chain, more);
      if (result === undefined) break;
      waiting.shift();
      checked += 1;
      if (result === "broken") broken += 1;
      if (!more()) break;
    }
    return { checked, broken, waiting: waiting.length };
  };
}
