import type { Queryable } from "@/db/client";
import { CHECKLIST_ROWS, CHECKLIST_SAMPLES, ID_SINCE, SINCE } from "./frame";

export interface KeyFactsRow {
  readonly keys: number;
  /** Keys whose command has no hash, or one too short to tell two commands apart. */
  readonly unhashed: number;
  readonly unhashed_ids: string[];
  readonly effects: readonly EffectFactsRow[];
}

export interface EffectFactsRow {
  readonly kind: "payment" | "refund" | "void";
  readonly looked: number;
  /** Effects that no key stands for. */
  readonly unkeyed: number;
  /** Of the effects themselves: no operation is known of them. */
  readonly unkeyed_ids: string[];
}

/** Bytes of the shortest hash that is taken for one. */
const HASH_BYTES = 16;
const EFFECTS = { payment: "payments", refund: "refunds", void: "voids" } as const;

function effect(kind: keyof typeof EFFECTS): string {
  return `select '${kind}' as kind, count(*)::int as looked, count(*) filter (where not f.keyed)::int as unkeyed,
  (array_agg(f.id::text) filter (where not f.keyed))[1:$3] as unkeyed_ids
from (select t.id, exists (select 1 from onceboard.idempotency_requests r where r.tenant_id = $1 and r.operation_id = t.operation_id) as keyed
  from onceboard.${EFFECTS[kind]} t where t.tenant_id = $1 and t.id >= ${ID_SINCE} and t.created_at >= ${SINCE}
  order by t.id desc limit $2) f`;
}

/** The newest keys and effects of the last day: whether each key has a hash, and each effect a key. */
export async function selectKeyFacts(q: Queryable, tenantId: string): Promise<KeyFactsRow> {
  const values = [tenantId, CHECKLIST_ROWS, CHECKLIST_SAMPLES];
  const keys = await q.query<Omit<KeyFactsRow, "effects">>({
    text: `with sample as materialized (
  select r.operation_id, octet_length(r.fingerprint) as size from onceboard.idempotency_requests r
  where r.tenant_id = $1 and r.created_at >= ${SINCE} order by r.created_at desc, r.operation_id desc limit $2
)
select (select count(*)::int from sample) as keys, (select count(*)::int from sample s where s.size < ${String(HASH_BYTES)}) as unhashed,
  array(select s.operation_id::text from sample s where s.size < ${String(HASH_BYTES)} limit $3) as unhashed_ids`,
    values,
  });
  const effects = await q.query<Omit<EffectFactsRow, "unkeyed_ids"> & { readonly unkeyed_ids: string[] | null }>({
    text: (Object.keys(EFFECTS) as (keyof typeof EFFECTS)[]).map(effect).join("\nunion all\n"),
    values,
  });
  const [row] = keys.rows;
  if (row === undefined) throw new Error("the keys returned no row");
  return { ...row, effects: effects.rows.map((each) => ({ ...each, unkeyed_ids: each.unkeyed_ids ?? [] })) };
}
