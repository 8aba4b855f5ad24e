import { only } from "@/db/query";
import { readWithin } from "@/db/bounded-read";
import {
  hasMoreCarriers,
  selectKeysOfReference,
  selectPaymentsOfCustomers,
  selectPaymentsOfOperations,
  selectReversalKeys,
  selectReversals,
  type EffectRow,
  type ReferenceKeyRow,
} from "@/db/reference/select-reference";
import type { Queryable } from "@/db/client";
import { kindOf, providerOfKind, type OperationKinds } from "@/domain/operation-kind";
import { isPathName } from "@/domain/access/path-name";
import type { Zone } from "@/domain/time-zone";
import { requirePermission, roleOf } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import type { MoneyKeyFacts, ReferenceFacts } from "@/presentation/reference/facts";
import { referenceView } from "@/presentation/reference/reference-view";
import type { ReferenceView } from "@/presentation/views/references";
import { shownState } from "./operation-row";
import { readParts, type Parts } from "./reference-parts";

/** Keys of one reference that are read, first come first. */
export const REFERENCE_KEYS = 60;
/** Keys of refunds and voids that are read, of all its payments together. */
const REFERENCE_REVERSALS = 60;
/** Rows that carry the reference, of whatever kind: refunds of a payment carry the payment's id. */
const CARRIERS = 2 * REFERENCE_KEYS;

/**
 * Everything under one order reference: its keys of all clients, what they asked for and what became of it.
 * @param input.customer an account: only its keys
 * @param input.zone of the clocks in the chart; default UTC
 * @returns undefined when no key carries it
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function readReference(
  ctx: EngineContext,
  input: { readonly reference: string; readonly customer?: string | undefined; readonly zone?: Zone | undefined },
): Promise<ReferenceView | undefined> {
  requirePermission(ctx, "operations.read");
  const facts = await readReferenceFacts(ctx, input);
  return facts === undefined ? undefined : referenceView(facts, roleOf(ctx), input.zone);
}

/** The rows behind the page, before anything is said of them. */
export async function readReferenceFacts(
  ctx: EngineContext,
  { reference, customer }: { readonly reference: string; readonly customer?: string | undefined },
): Promise<ReferenceFacts | undefined> {
  if (reference === "" || !isPathName(reference) || (customer !== undefined && !isPathName(customer))) return undefined;
  const kinds = await ctx.kinds.all();
  return readWithin(ctx.db, "detail", async (q) => {
    const found = await readKeys(q, ctx.tenantId, { reference, account: customer, kinds });
    const keys = found.keys;
    const payments = await readPayments(q, ctx.tenantId, { reference, customer, keys });
    if (keys.length === 0 && payments.length === 0 && found.otherKinds.length === 0) return undefined;
    const back = await readReversals(q, ctx.tenantId, payments);
    const of = [...keys, ...back.keys, ...[...payments, ...back.rows].filter(without([...keys, ...back.keys]))];
    const parts = await readParts(
      q,
      ctx,
      of.map(({ operationId, createdAt }) => ({ operationId, createdAt })),
    );
    return {
      at: found.at,
      reference,
      customer,
      otherKinds: found.otherKinds,
      more: { keys: found.more, reversals: back.more },
      payments: effects("payment", keys, payments, { parts, kinds }),
      reversals: (["refund", "void"] as const).flatMap((kind) =>
        effects(
          kind,
          back.keys.filter(({ operation }) => returnOf(kinds, operation) === kind),
          back.rows.filter((row) => row.kind === kind).map((row) => withMoneyOf(row, payments)),
          { parts, kinds },
        ),
      ),
    };
  });
}

interface KeysOf {
  readonly reference: string;
  readonly account: string | undefined;
  readonly kinds: OperationKinds;
}

async function readKeys(q: Queryable, tenantId: string, { reference, account, kinds }: KeysOf) {
  const rows = await selectKeysOfReference(q, tenantId, { reference, account }, CARRIERS + 1);
  const carriers = rows.slice(0, CARRIERS);
  const moves = (operation: string) => kindOf(kinds, operation).expects.money;
  const keys = carriers.filter(({ operation }) => moves(operation) === "takes");
  // What gives money back is found by its payment: it may carry the payment's id as its reference.
  const others = carriers.filter(({ operation }) => moves(operation) === undefined);
  const passedOver = account !== undefined && (await hasMoreCarriers(q, tenantId, reference));
  return {
    at: await databaseTime(q, rows),
    keys: keys.slice(0, REFERENCE_KEYS),
    otherKinds: others.map(({ operation }) => operation),
    more: rows.length > CARRIERS || keys.length > REFERENCE_KEYS || passedOver,
  };
}

/** A void gives all of a payment back before it is paid out. */
function returnOf(kinds: OperationKinds, operation: string): "refund" | "void" {
  return kindOf(kinds, operation).expects.effect?.kind === "void" ? "void" : "refund";
}

async function databaseTime(q: Queryable, rows: readonly ReferenceKeyRow[]): Promise<string> {
  const [first] = rows;
  if (first !== undefined) return first.at;
  const { rows: times } = await q.query<{ at: Date }>({ text: "select now() as at" });
  return times[0]?.at.toISOString() ?? "";
}

/** Rows of these keys, and those of the same customers under the reference whose key was deleted since. */
async function readPayments(
  q: Queryable,
  tenantId: string,
  by: { readonly reference: string; readonly customer: string | undefined; readonly keys: readonly ReferenceKeyRow[] },
): Promise<readonly EffectRow[]> {
  const made = await selectPaymentsOfOperations(
    q,
    tenantId,
    by.keys.map(({ operationId }) => operationId),
  );
  const accounts = [
    ...new Set([
      ...by.keys.flatMap(({ account }) => account ?? []),
      ...(by.customer === undefined ? [] : [by.customer]),
    ]),
  ];
  const kept = await selectPaymentsOfCustomers(q, tenantId, { reference: by.reference, accounts });
  return [...made, ...kept.filter(without(made))];
}

async function readReversals(q: Queryable, tenantId: string, payments: readonly EffectRow[]) {
  const ids = payments.map(({ id }) => id);
  if (ids.length === 0) return { keys: [], rows: [], more: false };
  const keys = await selectReversalKeys(q, tenantId, ids, REFERENCE_REVERSALS + 1);
  const rows = await selectReversals(q, tenantId, ids, REFERENCE_REVERSALS + 1);
  const more = keys.length > REFERENCE_REVERSALS || rows.length > REFERENCE_REVERSALS;
  return { keys: keys.slice(0, REFERENCE_REVERSALS), rows: rows.slice(0, REFERENCE_REVERSALS), more };
}

function without(
  rows: readonly { readonly operationId: string }[],
): (row: { readonly operationId: string }) => boolean {
  const known = new Set(rows.map(({ operationId }) => operationId));
  return ({ operationId }) => !known.has(operationId);
}

/** A void gives back the whole payment and has no amount of its own. */
function withMoneyOf(row: EffectRow, payments: readonly EffectRow[]): EffectRow {
  const { amountMinor, currency } = payments.find(({ id }) => id === row.paymentId) ?? {};
  return { ...row, amountMinor: row.amountMinor ?? amountMinor, currency: row.currency ?? currency };
}

/** Of each key, and of each row whose key was deleted since. */
function effects(
  kind: MoneyKeyFacts["kind"],
  keys: readonly ReferenceKeyRow[],
  rows: readonly EffectRow[],
  { parts, kinds }: { readonly parts: Parts; readonly kinds: OperationKinds },
): readonly MoneyKeyFacts[] {
  const rowOf = new Map(rows.map((row) => [row.operationId, row]));
  return [
    ...keys.map((key) =>
      withProvider(kinds, key, {
        kind,
        ...only(key, "operationId", "key", "client", "account", "errorCode", "createdAt"),
        ...only(key, "completedAt", "expiresAt", "lockedUntil", "nextCheckAt"),
        state: shownState(key),
        ...effectOf(rowOf.get(key.operationId), key, kinds),
        ...parts.of(key),
      }),
    ),
    ...rows.filter(without(keys)).map((row) => ({
      kind,
      ...only(row, "operationId", "account", "createdAt"),
      ...effectOf(row, undefined, kinds),
      ...parts.of(row),
    })),
  ];
}

function withProvider(kinds: OperationKinds, { operation }: ReferenceKeyRow, effect: MoneyKeyFacts): MoneyKeyFacts {
  return { ...effect, provider: providerOfKind(kindOf(kinds, operation), effect.calls.at(-1)?.provider) };
}

function effectOf(
  row: EffectRow | undefined,
  key: ReferenceKeyRow | undefined,
  kinds: OperationKinds,
): Pick<MoneyKeyFacts, "money" | "status" | "paymentId"> {
  const minor = row?.amountMinor ?? key?.amountMinor;
  const currency = row?.currency ?? key?.currency;
  return {
    money: minor === undefined || currency === undefined ? undefined : { minor, currency },
    status: row?.status,
    paymentId:
      row?.paymentId ?? (key && kindOf(kinds, key.operation).expects.money === "returns" ? key.reference : undefined),
  };
}
