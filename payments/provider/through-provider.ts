import type { Queryable } from "@/db/client";
import { OutOfTimeError, timeLeftMs } from "@/db/deadline";
import type { EngineContext } from "@/engine/context";
import type { ProviderOperation, Settlement } from "@/engine/execute/operation";
import { refusalSettlement } from "@/engine/execute/refusal";
import { API_VERSION, SCHEMA_VERSION } from "../commands";
import { represent } from "../represent";
import { declinedError, foundOutcome } from "./provider-outcome";
import type { PaymentProvider, ProviderEffect, ProviderRequest } from "./port";

/** What goes to the provider for one operation, from its own rows: the same on every attempt and every recovery. */
export interface ProviderCall {
  readonly request: ProviderRequest;
  /** When its row was made, by the database's clock: nothing was sent before. */
  readonly since: Date;
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

/** What is an operation's own, beside its name and its command. */
interface ProviderParts<Command, Row> extends Pick<
  ProviderOperation<Command, ProviderRequest>,
  "name" | "fields" | "describe" | "prepare"
> {
  /** Reads the operation's rows. @throws Error when there are none: a bug, not a refusal */
  readonly readCall: (ctx: EngineContext, operationId: string) => Promise<ProviderCall>;
  /** pending → succeeded or failed. */
  readonly settleRow: (
    tx: Queryable,
    tenantId: string,
    operationId: string,
    status: "succeeded" | "failed",
    reference: string | undefined,
  ) => Promise<Row>;
  /** The answer and the event of what succeeded. */
  readonly made: (ctx: EngineContext, operationId: string, row: Row) => Settlement;
  /** Takes the pending row back. */
  readonly deletePending: (tx: Queryable, tenantId: string, operationId: string) => Promise<void>;
}

/** An operation over a provider: sending it, asking what became of it, and settling it by the provider's final word. */
export function throughProvider<Command, Row>(
  provider: PaymentProvider,
  effect: ProviderEffect,
  { readCall, settleRow, made, deletePending, ...own }: ProviderParts<Command, Row>,
): ProviderOperation<Command, ProviderRequest> {
  return {
    path: "provider",
    apiVersion: API_VERSION,
    schemaVersion: SCHEMA_VERSION,
    policy: {},
    provider,
    represent,
    ...own,
    async send(ctx, operationId, prepared) {
      const request = prepared ?? (await readCall(ctx, operationId)).request;
      return provider[effect](request, { timeoutMs: timeoutOf(ctx) });
    },
    async lookUp(ctx, operationId, providerKey) {
      const { request, since } = await readCall(ctx, operationId);
      const question = { effect, request: { ...request, providerKey }, since };
      const found = await provider.lookUp(question, { timeoutMs: timeoutOf(ctx) });
      return foundOutcome(found, request);
    },
    async settle(ctx, tx, { operationId }, outcome) {
      const declined = outcome.kind === "declined";
      const status = declined ? "failed" : "succeeded";
      const row = await settleRow(tx, ctx.tenantId, operationId, status, outcome.reference);
      return declined ? refusalSettlement(operationId, declinedError(outcome.code)) : made(ctx, operationId, row);
    },
    release: (ctx, tx, operationId) => deletePending(tx, ctx.tenantId, operationId),
  };
}
