import { ACCESS, LEGACY, openChains, writeLegacy, type KeptChains } from "./kept-chains";
import { dice, TAMPERING_NAMES, TAMPERINGS, type Dice, type Target } from "./tamper";

/** Entries of each chain when its tampering begins. */
const ENTRIES = 24;
/** One run in so many leaves the chains alone: nothing may be reported then. */
const CONTROL = 10;
const CHECK_MS = 60_000;

export interface TamperOptions {
  readonly runs: number;
  /** Of the first run; the next ones count up. A run of its seed is the same again. */
  readonly seed: number;
}

export interface TamperResult {
  readonly tampered: number;
  readonly unnoticed: readonly string[];
  readonly controls: number;
  readonly falseAlarms: readonly string[];
  /** By kind of tampering and chain. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Tampers at random, each time with chains that hold, and asks after the next checkpoint whether anybody noticed. */
export async function runTamperings(
  { runs, seed }: TamperOptions,
  say: (line: string) => void = () => undefined,
): Promise<TamperResult> {
  const ledger = await openChains();
  try {
    await writeLegacy(ledger, "acme", LEGACY);
    await ledger.write("acme", ENTRIES - LEGACY);
    await ledger.write(ACCESS, ENTRIES);
    await ledger.witness().turn({ always: true });
    await ledger.keep();
    const [unnoticed, falseAlarms]: [string[], string[]] = [[], []];
    const counts = new Map<string, number>();
    let controls = 0;
    for (let run = 0; run < runs; run += 1) {
      const control = run % CONTROL === CONTROL - 1;
      const { name, noticed } = await runOne(ledger, seed + run, control);
      if (control) controls += 1;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      const line = `seed ${String(seed + run)}: ${name}`;
      if (control && noticed) falseAlarms.push(line);
      if (!control && !noticed) unnoticed.push(line);
      if (noticed === control) say(`${control ? "FALSE ALARM" : "UNNOTICED"} ${line}`);
      await ledger.back();
    }
    return { tampered: runs - controls, unnoticed, controls, falseAlarms, counts };
  } finally {
    await ledger.close();
  }
}

async function runOne(ledger: KeptChains, seed: number, control: boolean): Promise<{ name: string; noticed: boolean }> {
  const die = dice(seed);
  const target: Target = die.pick([
    { chain: "acme", covered: ENTRIES, legacy: LEGACY },
    { chain: ACCESS, covered: ENTRIES, legacy: 0 },
  ]);
  // A process that has been there all the time remembers; one that was started anew has only its file.
  const staying = die.roll(2) === 0 ? ledger.witness() : undefined;
  await staying?.turn({ always: true });
  const name = die.pick(TAMPERING_NAMES);
  if (!control) {
    const before = await stateOf(ledger);
    await TAMPERINGS[name](ledger.run, target, die);
    if ((await stateOf(ledger)) === before) throw new Error(`seed ${String(seed)} changed nothing: ${name}`);
  }
  if (die.roll(3) === 0) await hideCopies(ledger, die);
  // Work goes on behind it.
  if (name !== "the head moved forward" || control) await ledger.write(target.chain, die.roll(4));
  const witness = staying ?? ledger.witness();
  const { broken } = await witness.turn({ always: true });
  const checked = await witness.check(CHECK_MS);
  return { name: control ? "nothing" : `${name} (${target.chain})`, noticed: broken + checked.broken > 0 };
}

/** The copies are in the database, so its owner may take them away too. */
async function hideCopies({ run }: KeptChains, { roll }: Dice): Promise<void> {
  await run("truncate onceboard.audit_chain_checks");
  if (roll(2) === 0) await run("truncate onceboard.audit_checkpoints, onceboard.audit_sinks");
  else await run("update onceboard.audit_sinks set delivered = 1000000");
}

/** A tampering that changes nothing would prove nothing. */
async function stateOf({ rows }: KeptChains): Promise<string> {
  const [state] = await rows<{ text: string }>(
    `select md5((select string_agg(a::text, '' order by a.tenant_id, a.sequence, a.id) from onceboard.audit_entries a)
       || coalesce((select string_agg(h::text, '' order by h.tenant_id) from onceboard.audit_heads h), '')) as text`,
  );
  return state?.text ?? "";
}
