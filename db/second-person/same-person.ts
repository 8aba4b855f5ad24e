import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";
import type { Tie, TieReason } from "@/domain/access/ties";
import type { SamePerson } from "@/domain/plans/plan";

/** Ties that are read to name one; beyond it a refusal stands without its chain. */
const TIES_READ = 10_000;

/**
 * Notes that one operator had another's account in hand.
 * @param tie.operatorId whose account it is @param tie.tiedTo who did it
 */
export async function tieOperators(
  tx: Queryable,
  tie: { readonly operatorId: string; readonly tiedTo: string; readonly why: TieReason },
): Promise<void> {
  await callScalar(tx, "tie_operators", [tie.operatorId, tie.tiedTo, tie.why]);
}

/** Of a few plans those that `actor` may have asked for, and in which way. @param actor `kind:id` @param tieDays for which a tie counts */
export async function samePersonPlans(
  q: Queryable,
  tenantId: string,
  planIds: readonly string[],
  actor: string,
  tieDays: number,
): Promise<ReadonlyMap<string, SamePerson>> {
  if (planIds.length === 0) return new Map();
  const { rows } = await q.query<{ id: string; same: SamePerson }>({
    text: `select p.id, s.same from onceboard.plans p, onceboard.same_person($1, p.created_by, $3, $4) s(same)
           where p.tenant_id = $1 and p.id = any ($2::uuid[]) and s.same is not null`,
    values: [tenantId, planIds, actor, tieDays],
  });
  return new Map(rows.map(({ id, same }) => [id, same]));
}

/** Who stands behind an actor, `kind:id` each. @param tieDays for which a tie counts; 0: whoever is the same person without any */
export async function peopleBehind(
  q: Queryable,
  tenantId: string,
  actor: string,
  tieDays: number,
): Promise<readonly string[]> {
  const { rows } = await q.query<{ people: string[] }>({
    text: "select onceboard.people_behind($1, $2, $3) as people",
    values: [tenantId, actor, tieDays],
  });
  return rows[0]?.people ?? [];
}

/** Ties that count now, the newest first, with the end of their days. */
export async function selectTies(
  q: Queryable,
  tieDays: number,
): Promise<readonly (Tie & { readonly until: string })[]> {
  const { rows } = await q.query<{ operatorId: string; tiedTo: string; why: TieReason; at: Date; until: Date }>({
    text: `select t.operator_id as "operatorId", t.tied_to as "tiedTo", t.why, t.at, t.at + make_interval(days => $1) as until
             from onceboard.operator_ties t where t.at > clock_timestamp() - make_interval(days => $1)
            order by t.at desc limit $2`,
    values: [tieDays, TIES_READ],
  });
  return rows.map(({ at, until, ...tie }) => ({ ...tie, at: at.toISOString(), until: until.toISOString() }));
}
