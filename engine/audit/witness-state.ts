import { insertCheckpoint, recordChainCheck } from "@/db/audit/checkpoints";
import { allChains, selectChainHead, type ChainHead } from "@/db/audit/select-chain";
import type { Queryable } from "@/db/client";
import { chainName } from "@/domain/access/audit-chain";
import { meters } from "../telemetry/meters";
import type { Log } from "../telemetry/log";
import type { SignedCheckpoint } from "./checkpoint";
import { createDelivery, type Delivery } from "./deliver";
import { createKnownCheckpoints, type KnownCheckpoints } from "./known-checkpoints";
import type { PublicKeys, SigningKey } from "./signing-key";
import type { CheckpointSink } from "./sinks/sink";
import type { Broken } from "./walk-chain";

export interface WitnessDeps {
  readonly db: Queryable;
  readonly key: SigningKey;
  /** This key and those of before. */
  readonly keys: PublicKeys;
  readonly sinks: readonly CheckpointSink[];
  /** After so long an entry is under a checkpoint, whatever it is, ms. */
  readonly everyMs: number;
  readonly log: Log;
  /** Monotonic, ms. */
  readonly clock: () => number;
  /** Of this process, for what checkpoints say. */
  readonly now: () => Date;
}

/** What one process remembers of chains and their checkpoints. */
export interface WitnessState extends WitnessDeps {
  readonly known: KnownCheckpoints;
  readonly deliveries: readonly Delivery[];
  /** Says once that a chain is broken, and keeps it beside the chain. */
  report(chain: string, broken: Broken, against: SignedCheckpoint | undefined): Promise<void>;
  /** Keeps that a whole chain was walked and holds. */
  recordHolds(chain: string, checkedTo: bigint, against: SignedCheckpoint | undefined): Promise<void>;
  keep(checkpoint: SignedCheckpoint): Promise<void>;
  /** All that there should be, also those of which only a checkpoint is left. */
  everyChain(): AsyncGenerator<ChainHead>;
}

export function createWitnessState(deps: WitnessDeps): WitnessState {
  const { db, keys, sinks, log, clock } = deps;
  const known = createKnownCheckpoints(deps);
  const deliveries = sinks.map((sink) => createDelivery({ db, keys, log, sink, clock }));
  /** Chains of which it was said that they are broken, with where. */
  const reported = new Map<string, string>();
  return {
    ...deps,
    known,
    deliveries,
    async report(chain, { at, flaw }, against) {
      const said = `${String(at)} ${flaw}`;
      if (reported.get(chain) !== said) {
        reported.set(chain, said);
        meters.auditBroken.inc();
        log.error({ tenantId: chain, entry: at.toString(), reason: flaw }, "a chain of the audit is broken");
      }
      const [checkpoint, checkpointAt] = [against?.sequence, against?.at];
      await recordChainCheck(db, { chain, checkedTo: at - 1n, brokenAt: at, reason: flaw, checkpoint, checkpointAt });
    },
    async recordHolds(chain, checkedTo, against) {
      reported.delete(chain);
      const [checkpoint, checkpointAt] = [against?.sequence, against?.at];
      const holds = { brokenAt: undefined, reason: undefined };
      await recordChainCheck(db, { chain, checkedTo, ...holds, checkpoint, checkpointAt });
    },
    async keep(checkpoint) {
      const number = await insertCheckpoint(db, checkpoint);
      known.learn(checkpoint);
      for (const delivery of deliveries) delivery.add({ number, line: checkpoint.line });
    },
    async *everyChain() {
      const met = new Set<string>();
      for await (const head of allChains(db, chainName("", "access"))) {
        met.add(head.chain);
        yield head;
      }
      for (const chain of known.chains()) if (!met.has(chain)) yield await selectChainHead(db, chain);
    },
  };
}
