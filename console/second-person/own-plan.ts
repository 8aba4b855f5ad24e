import { actorNames } from "@/db/access/actor-names";
import type { Queryable } from "@/db/client";
import { peopleBehind, samePersonPlans, selectTies } from "@/db/second-person/same-person";
import { SAME_PERSON_DAYS, tieChain } from "@/domain/access/ties";
import type { OwnPlan } from "@/domain/plans/plan";
import { actorRef } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import type { NotSecond } from "@/presentation/plan/plan-approval";
import { samePersonWords } from "@/presentation/plan/tie-claims";
import { planName } from "../plans/plan-rows";

/** People who are named as no second person; with more of them the others are counted. */
const NAMED = 5;

interface AskedPlan {
  readonly id: string;
  /** `kind:id`. */
  readonly createdBy: string;
}

/** Days for which people who are tied count as one in this deployment. */
export function tieDaysOf({ config }: Pick<EngineContext, "config">): number {
  return config.samePersonDays ?? SAME_PERSON_DAYS;
}

/** Of a few plans those for which whoever looks is no second person, and why. @returns by id of the plan */
export async function ownPlans(
  q: Queryable,
  ctx: EngineContext,
  plans: readonly AskedPlan[],
): Promise<ReadonlyMap<string, OwnPlan>> {
  const me = actorRef(ctx.actor);
  const ids = plans.map(({ id }) => id);
  const same = await samePersonPlans(q, ctx.tenantId, ids, me, tieDaysOf(ctx));
  const own = new Map<string, OwnPlan>();
  for (const { id, createdBy } of plans) {
    const how = same.get(id);
    if (how === undefined) continue;
    if (how === "tied") own.set(id, { by: "tied", why: await tiedWords(q, ctx, createdBy) });
    else own.set(id, { by: how === "anybody" ? "anybody" : createdBy === me ? "self" : "key" });
  }
  return own;
}

/** The sentence that names what ties whoever looks to who asked for a plan. @param createdBy `kind:id` */
export async function tiedWords(q: Queryable, ctx: EngineContext, createdBy: string): Promise<string> {
  const asked = await peopleBehind(q, ctx.tenantId, createdBy, 0);
  const ties = await selectTies(q, tieDaysOf(ctx));
  const me = ctx.actor.id;
  const chain = tieChain(ties, me, new Set(asked.flatMap(personId))) ?? [];
  const people = [createdBy, ...chain.flatMap((tie) => [`operator:${tie.operatorId}`, `operator:${tie.tiedTo}`])];
  const names = await actorNames(q, ctx.tenantId, [...new Set(people)]);
  const nameOf = (id: string): string => (id === me ? "you" : (planName(names, `operator:${id}`) ?? id));
  return samePersonWords({
    asker: planName(names, createdBy) ?? createdBy,
    chain: chain.map((tie) => ({
      ...{ by: nameOf(tie.tiedTo), of: nameOf(tie.operatorId), why: tie.why, at: tie.at },
      until: tie.until,
    })),
  });
}

/** Who else is no second person for what somebody asked. @param createdBy `kind:id` */
export async function notSecond(q: Queryable, ctx: EngineContext, createdBy: string): Promise<NotSecond> {
  const direct = new Set(await peopleBehind(q, ctx.tenantId, createdBy, 0));
  const all = await peopleBehind(q, ctx.tenantId, createdBy, tieDaysOf(ctx));
  const tied = all.filter((actor) => actor !== "*" && !direct.has(actor));
  const names = await actorNames(q, ctx.tenantId, tied.slice(0, NAMED));
  return {
    tied: tied.slice(0, NAMED).map((actor) => planName(names, actor) ?? actor),
    more: Math.max(0, tied.length - NAMED),
    anybody: all.includes("*"),
  };
}

function personId(actor: string): string[] {
  return actor.startsWith("operator:") ? [actor.slice("operator:".length)] : [];
}
