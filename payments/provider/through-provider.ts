import { v7 as uuidv7 } from "uuid";
import {
  answerProvider,
  AppError,
  type Claim,
  countDeclined,
  derivedId,
  type EngineContext,
  cleanReply,
  findingOf,
  journalSettledLookUp,
  type MeshFunctionName,
  OutOfTimeError,
  type OwnClaim,
  type ProviderNoEffect,
  type ProviderOperation,
  type ProviderReply,
  type Queryable,
  REFERENCE_BY_HAND,
  refusalSettlement,
  timeLeftMs,
} from "@/engine/index";
import { findPayment, type PaymentRow } from "../db/payments";
import { MONEY_CONTRACT } from "../commands";
import { madeResource, represent, type Made } from "../settlements";
import { replyOf } from "./classify";
import type { PaymentProvider, ProviderEffect, ProviderLookUp, ProviderRequest } from "./port";

/** The row of a refund or a void. */
interface ReversalRow {
  readonly id: string;
  readonly payment_id: string;
  readonly provider_key: string;
  readonly created_at: Date;
  /** None: the payment's whole amount. */
  readonly amount_minor?: bigint;
}

/** Rows of one operation: its own, and the payment that it is about; of a payment they are the same. */
interface EffectRows {
  readonly row: PaymentRow | ReversalRow;
  readonly payment: PaymentRow;
}

/** Part of the caller's time that is kept for our own work after the provider's answer, and its bound in ms. */
const OWN_SHARE = 0.4;
const OWN_SHARE_MAX_MS = 500;
/** Nothing goes out with less time for its answer: the outcome would only be unknown. */
const SHORTEST_EXCHANGE_MS = 50;

/**
 * How long the provider may take, so that the answer arrives while the caller still listens.
 *
 * @throws OutOfTimeError `not_started` when no time is left: nothing is sent
 */
function timeoutOf(ctx: EngineContext): number {
  const left = timeLeftMs();
  const timeoutMs = Math.min(
    ctx.config.providerTimeoutMs,
    Math.floor(left - Math.min(left * OWN_SHARE, OWN_SHARE_MAX_MS)),
  );
  if (timeoutMs < SHORTEST_EXCHANGE_MS) throw new OutOfTimeError("not_started");
  return timeoutMs;
}

interface MoneyCommand {
  readonly accountId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
}

/** What is an operation's own, beside its name and its command. */
interface ProviderParts<Command, Settled> extends Pick<ProviderOperation<Command>, "name" | "fields" | "onceFor"> {
  readonly meshFunction: MeshFunctionName;
  readonly effect: ProviderEffect;
  /** Of its row: part of the row's id, the provider key and the metadata. */
  readonly kind: "payment" | "refund" | "void";
  /** What the lists name the command by. */
  readonly reference: (command: Command) => string | undefined;
  /**
   * Makes the operation's row, or finds the one of an earlier attempt.
   *
   * @param own columns of a new row @returns the rows, or a refusal that binds @throws AppError for one that does not
   */
  readonly prepare: (
    ctx: EngineContext,
    tx: Queryable,
    claim: OwnClaim,
    command: Command,
    own: Readonly<Record<"tenantId" | "id" | "operationId" | "providerKey", string>>,
  ) => Promise<EffectRows | AppError>;
  readonly findRow: (
    q: Queryable,
    tenantId: string,
    by: { readonly operationId: string },
  ) => Promise<EffectRows["row"] | undefined>;
  /** pending → succeeded or failed. */
  readonly settleRow: (
    tx: Queryable,
    tenantId: string,
    operationId: string,
    status: "succeeded" | "failed",
    reference: string | undefined,
  ) => Promise<Settled>;
  readonly made: (settled: Settled) => Made;
  /** Takes the pending row back. */
  readonly deletePending: (tx: Queryable, tenantId: string, operationId: string) => Promise<void>;
}

/** An operation over a provider: sending it, asking what became of it, and settling it by the provider's final word. */
export function throughProvider<Command extends MoneyCommand, Settled>(
  provider: PaymentProvider,
  parts: ProviderParts<Command, Settled>,
): ProviderOperation<Command, ProviderRequest> & { readonly meshFunction: MeshFunctionName } {
  const { name, meshFunction, fields, effect, kind, onceFor } = parts;
  /** @returns the request, its payment, and when its row was made by the database's clock: nothing was sent before */
  const readCall = async (
    ctx: EngineContext,
    operationId: string,
  ): Promise<{ request: ProviderRequest; payment: PaymentRow; since: Date }> => {
    const { pool } = ctx.db;
    const row = await parts.findRow(pool, ctx.tenantId, { operationId });
    const isReversal = row !== undefined && "payment_id" in row;
    const payment = isReversal ? await findPayment(pool, ctx.tenantId, { id: row.payment_id }) : row;
    if (row === undefined || payment === undefined) throw new Error(`operation ${operationId} has no ${kind}`);
    return { since: row.created_at, payment, request: requestOf(ctx, operationId, parts, { row, payment }) };
  };
  return {
    path: "provider",
    ...MONEY_CONTRACT,
    ...(onceFor !== undefined && { onceFor }),
    policy: {},
    sharesTransaction: true,
    ...{ provider, represent, name, meshFunction, fields },
    describe: (command) => {
      const { accountId, amountMinor, currency } = command;
      return { accountId, reference: parts.reference(command), amountMinor, currency };
    },
    async prepare(ctx, tx, claim, command) {
      const { tenantId } = ctx;
      const { operationId } = claim;
      const id = derivedId(operationId, kind);
      const providerKey = await providerKeyOf(ctx, tx, claim, `provider_${kind}_${id}`);
      const rows = await parts.prepare(ctx, tx, claim, command, { tenantId, id, operationId, providerKey });
      if (rows instanceof AppError) return { kind: "refused", settlement: refusalSettlement(operationId, rows) };
      const { amountMinor, currency } = command;
      const prepared = { providerKey, kind: effect, amountMinor, currency };
      return { kind: "ready", prepared, call: requestOf(ctx, operationId, parts, rows) };
    },
    async send(ctx, operationId, prepared) {
      const request = prepared ?? (await readCall(ctx, operationId)).request;
      if (effect === "charge" || request.chargeReference !== undefined)
        return provider[effect](request, { timeoutMs: timeoutOf(ctx) });
      const { payment } = await readCall(ctx, operationId);
      // Both exchanges share the time of one, so that they end within the lease.
      const timeoutMs = Math.floor(timeoutOf(ctx) / 2);
      const charge = await chargeOf(provider, ctx, payment, timeoutMs);
      if ("kind" in charge) return charge;
      return provider[effect]({ ...request, ...charge }, { timeoutMs });
    },
    async lookUp(ctx, operationId, providerKey) {
      const { request, since, payment } = await readCall(ctx, operationId);
      const named = effect === "charge" || request.chargeReference !== undefined;
      const timeoutMs = Math.floor(timeoutOf(ctx) / (named ? 1 : 2));
      const charge = named ? {} : await chargeOf(provider, ctx, payment, timeoutMs);
      const known = "kind" in charge ? {} : charge;
      const question = { effect, request: { ...request, ...known, providerKey }, since };
      return foundOutcome(await provider.lookUp(question, { timeoutMs }), request);
    },
    async settle(ctx, tx, claim, outcome) {
      const declined = outcome.kind === "declined";
      const status = declined ? "failed" : "succeeded";
      const row = await parts.settleRow(tx, ctx.tenantId, claim.operationId, status, outcome.reference);
      if (declined) return refusalSettlement(claim.operationId, declinedError(outcome.code));
      return madeResource(ctx, claim, parts.made(row));
    },
    release: (ctx, tx, operationId) => parts.deletePending(tx, ctx.tenantId, operationId),
  };
}

const NO_REFERENCE =
  "The provider's reference of this payment is not known: it was settled by hand, and none was given.";
const NOT_SENT = "Nothing was sent.";

/**
 * The provider's reference of a charge that was settled by hand without one, asked for by the charge's own provider key. The question stands
 * in the journal of the charge, which it is about: what the provider says confirms or contradicts how the charge was settled.
 * @returns why nothing can be sent, where the provider does not name a charge that succeeded
 */
async function chargeOf(
  provider: PaymentProvider,
  ctx: EngineContext,
  payment: PaymentRow,
  timeoutMs: number,
): Promise<Required<Pick<ProviderRequest, "chargeReference">> | ProviderNoEffect> {
  const missing = (reason: string, found: string): ProviderNoEffect => ({
    kind: "no_effect",
    code: "refused",
    reason: `not sent: ${reason}`,
    detail: `${NO_REFERENCE} ${found} ${NOT_SENT}`,
  });
  if (!provider.queryable) return missing("no reference of the charge", "This provider cannot be asked for it.");
  const parts = { effect: "charge", kind: "payment" } as const;
  const request = requestOf(ctx, payment.operation_id, parts, { row: payment, payment });
  const question = { effect: "charge", request, since: payment.created_at } as const;
  const asked = {
    tenantId: ctx.tenantId,
    operationId: payment.operation_id,
    id: uuidv7(),
    providerKey: request.providerKey,
  };
  const journalled = await journalSettledLookUp(ctx.db.pool, { ...asked, provider: provider.name });
  const reply = cleanReply(foundOutcome(await provider.lookUp(question, { timeoutMs }), request));
  if (journalled)
    await answerProvider(ctx.db.pool, {
      tenantId: ctx.tenantId,
      requestId: asked.id,
      outcome: reply.kind,
      reference: "reference" in reply ? reply.reference : undefined,
      detail: findingOf(reply),
    });
  switch (reply.kind) {
    case "succeeded":
      return { chargeReference: reply.reference };
    case "declined":
      return missing("the charge was declined", "The provider says that it declined this charge.");
    case "absent":
      return missing("the provider has no such charge", "The provider has no such charge.");
    case "contradicting":
      return missing(reply.reason, "The provider has something else under the key of this charge.");
    default:
      return {
        kind: "no_effect",
        code: "unavailable",
        reason: "not sent: the provider did not say which charge",
        detail: `${NO_REFERENCE} The provider did not name it just now. ${NOT_SENT} Retry with the same key.`,
      };
  }
}

/** From the operation's own rows: the same on every attempt and every recovery. */
function requestOf(
  ctx: EngineContext,
  operationId: string,
  { effect, kind }: Pick<ProviderParts<never, never>, "effect" | "kind">,
  { row, payment }: EffectRows,
): ProviderRequest {
  const { currency, account_id: accountId, merchant_reference: reference, provider_reference: charge } = payment;
  return {
    providerKey: row.provider_key,
    amountMinor: row.amount_minor ?? payment.amount_minor,
    currency,
    accountId,
    ...(effect === "charge" && reference !== null && { reference }),
    ...(effect !== "charge" && charge !== null && charge !== REFERENCE_BY_HAND && { chargeReference: charge }),
    metadata: { tenant: ctx.tenantId, operationId, [`${kind}Id`]: row.id },
  };
}

/**
 * The stable name of an effect at the provider: the same on every attempt and every recovery. Only after the
 * provider's own final decline, where the policy lets the same key try again, the next attempt is a new effect and
 * has a name of its own; under the old one the provider would repeat its decline.
 */
async function providerKeyOf(ctx: EngineContext, tx: Queryable, claim: Claim, key: string): Promise<string> {
  if (claim.attempt <= 1) return key;
  const declined = await countDeclined(tx, ctx.tenantId, claim.operationId);
  return declined === 0 ? key : `${key}_${String(declined + 1)}`;
}

/** What a look-up found; another amount or currency than ours is a contradiction that no machine settles. */
function foundOutcome(found: ProviderLookUp, { amountMinor, currency }: ProviderRequest): ProviderReply {
  if (found.kind !== "found") return found;
  if (found.amountMinor === amountMinor && found.currency === currency) return replyOf(found);
  return { kind: "contradicting", reference: found.reference, reason: "the provider has another amount or currency" };
}

/** @returns the refusal that a declined effect is answered with. */
function declinedError(code: string): AppError {
  return code === "insufficient_funds"
    ? new AppError("payment.insufficient_funds", 402, "The account has insufficient funds")
    : new AppError("payment.declined", 402, "The provider declined", { extensions: { declineCode: code } });
}
