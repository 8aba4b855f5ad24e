import type { Queryable } from "@/db/client";
import type { AuditRecord } from "@/domain/access/audit-text";

/** Every column of an entry as texts and numbers, so that whoever checks the chain computes its hashes without the database. */
const RECORD = `a.tenant_id as "chain", a.id::text as "id", a.sequence as "sequence", (extract(epoch from a.at) * 1000000)::bigint as "micros",
  a.actor_kind as "actorKind", a.actor_id as "actorId", a.actor_name as "actorName", a.action as "action", a.subject_type as "subjectType",
  a.subject_id as "subjectId", a.reason as "reason", a.before::text as "before", a.after::text as "after", a.evidence::text as "evidence",
  a.request_id as "requestId", a.hash_version as "version", a.key_id as "keyId", encode(a.signature, 'hex') as "signature",
  encode(a.previous_hash, 'hex') as "previousHash", encode(a.hash, 'hex') as "hash"`;

/** @returns entries of a chain from one on, in their order, at most `limit` */
export async function selectChainPart(
  q: Queryable,
  chain: string,
  from: bigint,
  limit: number,
): Promise<AuditRecord[]> {
  const { rows } = await q.query<AuditRecord>({
    name: "audit_chain_part",
    text: `select ${RECORD} from onceboard.audit_entries a where a.tenant_id = $1 and a.sequence >= $2 order by a.sequence limit $3`,
    values: [chain, from, limit],
  });
  return rows;
}

export interface ChainHead {
  readonly chain: string;
  /** Null: nothing was ever added, or the row is gone. */
  readonly sequence: bigint | null;
  /** Hexadecimal. */
  readonly hash: string | null;
}

export async function selectChainHead(q: Queryable, chain: string): Promise<ChainHead> {
  const { rows } = await q.query<Omit<ChainHead, "chain">>({
    name: "audit_chain_head",
    text: "select h.sequence, encode(h.hash, 'hex') as hash from onceboard.audit_heads h where h.tenant_id = $1",
    values: [chain],
  });
  return { chain, sequence: rows[0]?.sequence ?? null, hash: rows[0]?.hash ?? null };
}

/** Chains of one page. */
const CHAINS_PAGE = 500;

/** @returns a page of the chains that there should be, of tenants and whatever else has a head, after the one of this name */
async function selectChains(q: Queryable, access: string, after: string): Promise<ChainHead[]> {
  const { rows } = await q.query<ChainHead>({
    name: "audit_chains",
    text: `select c.chain, h.sequence, encode(h.hash, 'hex') as hash
      from (select t.id as chain from onceboard.tenants t union select h.tenant_id from onceboard.audit_heads h union select $1) c
      left join onceboard.audit_heads h on h.tenant_id = c.chain
      where c.chain collate "C" > $2 order by c.chain collate "C" limit ${String(CHAINS_PAGE)}`,
    values: [access, after],
  });
  return rows;
}

/** @param access name of the access log's chain */
export async function* allChains(q: Queryable, access: string): AsyncGenerator<ChainHead> {
  for (let after = ""; ;) {
    const page = await selectChains(q, access, after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < CHAINS_PAGE) return;
    after = last.chain;
  }
}

/** @returns when the first entry behind this one was written, ms ago, and whether one of them is one of these actions */
export async function selectUncovered(
  q: Queryable,
  chain: string,
  behind: bigint,
  actions: readonly string[],
): Promise<{ readonly ageMs: number | null; readonly listed: boolean }> {
  const { rows } = await q.query<{ ageMs: number | null; listed: boolean }>({
    name: "audit_uncovered",
    text: `select (select (extract(epoch from clock_timestamp() - a.at) * 1000)::float8 from onceboard.audit_entries a
        where a.tenant_id = $1 and a.sequence > $2 order by a.sequence limit 1) as "ageMs",
      exists (select from onceboard.audit_entries a where a.tenant_id = $1 and a.sequence > $2 and a.action = any ($3)) as listed`,
    values: [chain, behind, actions],
  });
  return rows[0] ?? { ageMs: null, listed: false };
}
