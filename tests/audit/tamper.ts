/** Ways in which the owner of the database changes a chain of the audit: each makes all hashes behind its change anew. */

/** A source of numbers that the same seed makes again. */
export interface Dice {
  /** 0 ≤ n < below. */
  readonly roll: (below: number) => number;
  readonly pick: <T>(from: readonly [T, ...T[]]) => T;
}

/** @param seed 32 bits */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  // Mulberry32: a few lines, the same on every machine.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const roll = (below: number): number => Math.floor(next() * below);
  return { roll, pick: (from) => from[roll(from.length)] ?? from[0] };
}

export interface Target {
  readonly chain: string;
  /** Entries that the newest checkpoint covers. */
  readonly covered: number;
  /** Of these, entries of the first rule, which does not cover an id. */
  readonly legacy: number;
}

export type Run = (text: string, ...values: unknown[]) => Promise<unknown>;
export type Tampering = (run: Run, target: Target, dice: Dice) => Promise<void>;

/** Hashes from one entry on by the rule that each names, and the head behind them: what an owner does to leave a chain that holds. */
const REBUILD = `do $$ declare
  v_entry onceboard.audit_entries%rowtype;
  v_hash bytea := sha256(convert_to('CHAIN', 'utf8'));
  v_sequence bigint := 0;
begin
  for v_entry in select * from onceboard.audit_entries where tenant_id = 'CHAIN' order by sequence loop
    v_entry.previous_hash := v_hash;
    v_hash := onceboard.audit_entry_hash(v_entry, v_hash);
    update onceboard.audit_entries set previous_hash = v_entry.previous_hash, hash = v_hash
    where tenant_id = 'CHAIN' and sequence = v_entry.sequence and hash <> v_hash;
    v_sequence := v_entry.sequence;
  end loop;
  update onceboard.audit_heads set sequence = v_sequence, hash = v_hash where tenant_id = 'CHAIN';
end $$`;

const rebuild = (run: Run, chain: string) => run(REBUILD.replaceAll("CHAIN", chain));
/** Makes the sequences behind a place one larger or smaller; they are unique, so they step aside first. */
async function shift(run: Run, chain: string, behind: number, by: number): Promise<void> {
  await run(
    `update onceboard.audit_entries set sequence = -sequence where tenant_id = $1 and sequence > $2`,
    chain,
    behind,
  );
  await run(
    `update onceboard.audit_entries set sequence = -sequence + $2 where tenant_id = $1 and sequence < 0`,
    chain,
    by,
  );
}
const place = ({ covered, legacy }: Target, { roll }: Dice, hard = false): number =>
  1 + (hard ? legacy + roll(covered - legacy) : roll(covered));

const EDITS = [
  "reason = 'the bank said so'",
  "actor_name = 'Somebody Else'",
  "actor_id = 'op-forged'",
  "actor_kind = 'system'",
  "action = 'operations.release'",
  "subject_type = 'plan'",
  "subject_id = 'another'",
  `before = '{"state": "COMPLETED"}'`,
  `after = '{"changed": false}'`,
  `evidence = '{"forged": [1, 2.50, null]}'`,
  "request_id = 'req-forged'",
  "at = at + interval '1 microsecond'",
] as const;

const COPY = `insert into onceboard.audit_entries select (a).* from (select jsonb_populate_record(e, jsonb_build_object(
    'id', gen_random_uuid(), 'sequence', $2::bigint, 'tenant_id', $3::text, 'reason', 'inserted')) as a
  from onceboard.audit_entries e where e.tenant_id = $4 and e.sequence = $1) f`;

const ACTOR =
  "'operator', 'op-1', 'Mira', 'operations.resolve', 'operation', 'by-hand', 'why', null, '{}', null, 'req'";

export const TAMPERINGS = {
  "the newest entries cut with the head moved": async (run, target, { roll }) => {
    await run(
      "delete from onceboard.audit_entries where tenant_id = $1 and sequence > $2",
      target.chain,
      roll(target.covered),
    );
    await rebuild(run, target.chain);
  },
  "an entry edited": async (run, target, die) => {
    const edit = die.pick(EDITS);
    await run(
      `update onceboard.audit_entries set ${edit} where tenant_id = $1 and sequence = $2`,
      target.chain,
      place(target, die),
    );
    await rebuild(run, target.chain);
  },
  "an entry edited and nothing else": async (run, target, die) => {
    await run(
      `update onceboard.audit_entries set ${die.pick(EDITS)} where tenant_id = $1 and sequence = $2`,
      target.chain,
      place(target, die),
    );
  },
  "an entry deleted": async (run, target, die) => {
    const at = place(target, die);
    await run("delete from onceboard.audit_entries where tenant_id = $1 and sequence = $2", target.chain, at);
    await shift(run, target.chain, at, -1);
    await rebuild(run, target.chain);
  },
  "an entry inserted": async (run, target, die) => {
    const at = place(target, die, true);
    await shift(run, target.chain, at, 1);
    await run(COPY, at, at + 1, target.chain, target.chain);
    await rebuild(run, target.chain);
  },
  "entries reordered": async (run, target, die) => {
    const at = Math.min(place(target, die, true), target.covered - 1);
    await run(
      "update onceboard.audit_entries set sequence = -1 where tenant_id = $1 and sequence = $2",
      target.chain,
      at,
    );
    await run(
      "update onceboard.audit_entries set sequence = sequence - 1 where tenant_id = $1 and sequence = $2",
      target.chain,
      at + 1,
    );
    await run(
      "update onceboard.audit_entries set sequence = $2 where tenant_id = $1 and sequence = -1",
      target.chain,
      at + 1,
    );
    await rebuild(run, target.chain);
  },
  "an entry backdated": async (run, target, die) => {
    await run(
      "update onceboard.audit_entries set at = at - make_interval(mins => $3) where tenant_id = $1 and sequence = $2",
      target.chain,
      place(target, die),
      1 + die.roll(100_000),
    );
    await rebuild(run, target.chain);
  },
  "the chain deleted whole": async (run, { chain }) => {
    await run("delete from onceboard.audit_entries where tenant_id = $1", chain);
    await run("delete from onceboard.audit_heads where tenant_id = $1", chain);
  },
  "append_audit() by hand": async (run, { chain }) => {
    await run(`select onceboard.append_audit($1, gen_random_uuid(), ${ACTOR})`, chain);
  },
  "an entry's id changed": async (run, target, die) => {
    await run(
      "update onceboard.audit_entries set id = gen_random_uuid() where tenant_id = $1 and sequence = $2",
      target.chain,
      place(target, die, true),
    );
    await rebuild(run, target.chain);
  },
  "the verifying functions replaced": async (run, target, die) => {
    await run(
      `update onceboard.audit_entries set ${die.pick(EDITS)} where tenant_id = $1 and sequence = $2`,
      target.chain,
      place(target, die),
    );
    await run(`create or replace function onceboard.verify_audit_part(p_tenant text, p_from bigint, p_limit integer)
      returns table (broken_at bigint, reason text, checked_to bigint, head bigint) language sql as $$
      select null::bigint, null::text, h.sequence, h.sequence from onceboard.audit_heads h where h.tenant_id = p_tenant $$`);
    await run(`create or replace function onceboard.audit_entry_hash(p_entry onceboard.audit_entries, p_previous bytea)
      returns bytea language sql immutable as $$ select (p_entry).hash $$`);
  },
  "a chain taken back to the old rule": async (run, target, die) => {
    const at = place(target, die, true);
    await run(
      `update onceboard.audit_entries set hash_version = 1, key_id = null, signature = null, reason = 'old'
       where tenant_id = $1 and sequence >= $2`,
      target.chain,
      at,
    );
    await rebuild(run, target.chain);
  },
  "signatures taken off": async (run, target, die) => {
    await run(
      "update onceboard.audit_entries set key_id = null, signature = null where tenant_id = $1 and sequence >= $2",
      target.chain,
      place(target, die, true),
    );
    await rebuild(run, target.chain);
  },
  "a checkpoint forged for a chain that was cut": async (run, target, { roll }) => {
    const kept = roll(target.covered);
    await run("delete from onceboard.audit_entries where tenant_id = $1 and sequence > $2", target.chain, kept);
    await rebuild(run, target.chain);
    await run(
      `insert into onceboard.audit_checkpoints (chain, sequence, hash, at, line)
       select h.tenant_id, h.sequence, h.hash, now(), regexp_replace(regexp_replace(c.line, '"sequence":"\\d+"', '"sequence":"' || h.sequence || '"'),
         '"hash":"[0-9a-f]+"', '"hash":"' || encode(h.hash, 'hex') || '"')
       from onceboard.audit_heads h join onceboard.audit_checkpoints c on c.chain = h.tenant_id where h.tenant_id = $1 limit 1`,
      target.chain,
    );
  },
  "the head moved forward": async (run, { chain }, { roll }) => {
    await run("update onceboard.audit_heads set sequence = sequence + $2 where tenant_id = $1", chain, 1 + roll(9));
  },
} satisfies Readonly<Record<string, Tampering>>;

export type TamperingName = keyof typeof TAMPERINGS;
export const TAMPERING_NAMES = Object.keys(TAMPERINGS) as [TamperingName, ...TamperingName[]];
