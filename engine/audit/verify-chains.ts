import { HASH_VERSIONS, type AuditRecord } from "@/domain/access/audit-text";
import { newer, readCheckpoint, type SignedCheckpoint } from "./checkpoint";
import type { PublicKeys } from "./signing-key";
import { chainBegin, endFlaw, isBroken, step, type Broken, type ChainEnd, type ChainPlace } from "./walk-chain";

/** What was found of one chain. */
export interface ChainReport {
  readonly chain: string;
  readonly entries: bigint;
  /** Why it does not hold, or why nothing is proved; undefined: it holds. */
  readonly problem: string | undefined;
  /** The newest checkpoint that counts. */
  readonly newest: SignedCheckpoint | undefined;
  readonly checkpoints: number;
  /** Of an earlier epoch, which a restart set aside and the chain contradicts. */
  readonly setAside: number;
  readonly firstRule: bigint;
  readonly ofServices: bigint;
}

export interface VerifyReport {
  readonly chains: readonly ChainReport[];
  /** Lines of the checkpoints that count for nothing, with their number from 1 on. */
  readonly badLines: readonly string[];
}

/** Checkpoints of one chain. */
interface Trail {
  readonly all: readonly SignedCheckpoint[];
  readonly newest: SignedCheckpoint;
  /** Of the newest epoch, by sequence. */
  readonly hashes: ReadonlyMap<bigint, string>;
  /** Of earlier epochs. */
  readonly before: ReadonlyMap<bigint, readonly string[]>;
  readonly contradiction: string | undefined;
}

interface Chain {
  place: ChainPlace;
  broken: Broken | undefined;
  firstRule: bigint;
  setAside: number;
}

/**
 * Verifies chains from their entries and from checkpoints that were kept elsewhere: no database takes part.
 * @param lines of checkpoints, of one place or of several
 * @param keys public keys that are trusted
 */
export function createVerification(lines: Iterable<string>, keys: PublicKeys) {
  const { trails, badLines } = readTrails(lines, keys);
  const chains = new Map<string, Chain>();

  function chainOf(name: string): Chain {
    let chain = chains.get(name);
    if (chain === undefined) {
      chain = { place: chainBegin(name), broken: undefined, firstRule: 0n, setAside: 0 };
      chains.set(name, chain);
    }
    return chain;
  }

  return {
    /** Takes the next entry of its chain. */
    add(entry: AuditRecord): void {
      const chain = chainOf(entry.chain);
      if (chain.broken !== undefined) return;
      const trail = trails.get(entry.chain);
      const rules = { keys, signedFrom: trail?.newest.signedFrom, hashes: trail?.hashes ?? new Map<bigint, string>() };
      const walked = step(chain.place, entry, rules);
      if (isBroken(walked)) chain.broken = walked;
      else chain.place = walked;
      if (entry.version === HASH_VERSIONS[0]) chain.firstRule += 1n;
      chain.setAside += trail?.before.get(entry.sequence)?.filter((hash) => hash !== entry.hash).length ?? 0;
    },
    /** @param head of a chain, where the database could be asked; an export has none */
    finish(head: (chain: string) => ChainEnd["head"] | undefined = () => undefined): VerifyReport {
      const names = [...new Set([...trails.keys(), ...chains.keys()])].sort();
      return { badLines, chains: names.map((name) => reportOf(name, chainOf(name), trails.get(name), head(name))) };
    },
  };
}

function reportOf(
  name: string,
  chain: Chain,
  trail: Trail | undefined,
  head: ChainEnd["head"] | undefined,
): ChainReport {
  const { place, firstRule, setAside } = chain;
  const seen = head ?? { sequence: place.sequence, hash: place.hash };
  const broken = chain.broken ?? endFlaw(place, { head: seen, checkpoint: trail?.newest.sequence });
  const nothing = trail === undefined ? "no checkpoint names this chain: nothing is proved of it" : undefined;
  return {
    ...{
      chain: name,
      entries: place.sequence,
      newest: trail?.newest,
      checkpoints: trail?.all.length ?? 0,
      setAside,
      firstRule,
    },
    ofServices: place.ofServices,
    problem: broken === undefined ? (trail?.contradiction ?? nothing) : `${broken.flaw}, at #${String(broken.at)}`,
  };
}

function readTrails(lines: Iterable<string>, keys: PublicKeys) {
  const found = new Map<string, SignedCheckpoint[]>();
  const badLines: string[] = [];
  let number = 0;
  // A place may have the same line twice.
  const met = new Set<string>();
  for (const line of lines) {
    number += 1;
    if (line.trim() === "" || met.has(line)) continue;
    met.add(line);
    const read = readCheckpoint(line, keys);
    if ("problem" in read) badLines.push(`line ${String(number)}: ${read.problem}`);
    else pushTo(found, read.checkpoint.chain, read.checkpoint);
  }
  return { badLines, trails: new Map([...found].map(([chain, all]) => [chain, trailOf(all)])) };
}

function pushTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function trailOf(all: readonly SignedCheckpoint[]): Trail {
  const newest = all.reduce((best, one) => newer(best, one) ?? best);
  const hashes = new Map<bigint, string>();
  const before = new Map<bigint, string[]>();
  let contradiction: string | undefined;
  for (const { sequence, hash, epoch } of all) {
    if (epoch !== newest.epoch) {
      pushTo(before, sequence, hash);
      continue;
    }
    const named = hashes.get(sequence);
    if (named !== undefined && named !== hash)
      contradiction = `two checkpoints of #${String(sequence)} contradict each other`;
    hashes.set(sequence, hash);
  }
  return { all, newest, hashes, before, contradiction };
}
