import { asc } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";
import { pick, rowsOf, select } from "@/db/query";
import { operationKinds } from "@/db/schema";
import type { OperationKind } from "@/domain/operation-kind";

const k = operationKinds;
/** Kinds that are read; a deployment has a handful of each module. */
export const MOST_KINDS = 1_000;

/**
 * Registers a kind, or says it anew.
 * @returns whether something changed
 * @throws DatabaseError 42710 when another owner registered the name, 22023 for an unfit registration
 */
export async function registerKind(q: Queryable, kind: OperationKind): Promise<boolean> {
  const { provider, expects, ...rest } = kind;
  const changed = await callScalar<boolean>(q, "register_operation_kind", {
    ...rest,
    provider: provider?.name,
    dedupesForHours: provider?.dedupesForHours,
    queryable: provider?.queryable,
    expects: JSON.stringify(expects),
  });
  return changed === true;
}

/** @returns all kinds by name */
export async function selectKinds(q: Queryable): Promise<OperationKind[]> {
  const fields = pick(k, "name", "owner", "runsIn", "label", "route", "path", "actions", "expects", "version");
  const query = select({ ...fields, ...pick(k, "provider", "dedupesForHours", "queryable") }).from(k);
  const rows = await rowsOf(q, query.orderBy(asc(k.name)).limit(MOST_KINDS));
  return rows.map(({ provider, dedupesForHours, queryable, ...kind }) => ({
    ...kind,
    provider:
      provider === undefined
        ? undefined
        : { name: provider, dedupesForHours: dedupesForHours ?? 0, queryable: queryable ?? false },
  }));
}
