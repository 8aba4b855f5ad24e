import type { Database, Queryable } from "@/db/client";
import type { ClaimRow } from "@/db/operations/claim";
import type { OutboxMessage } from "@/db/operations/complete";
import type { AppError } from "@/domain/errors";
import type { CanonicalFields } from "@/domain/idempotency/canonical";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import type { ProviderFacts } from "@/domain/idempotency/provider-capabilities";
import type { StoredResponse } from "./answer";
import type { EngineContext } from "../context";
import type { Versions } from "./versions";

/** What a command is about, kept beside the key for lists and the attention queue. */
export interface Subject {
  readonly accountId?: string | undefined;
  readonly reference?: string | undefined;
  readonly amountMinor?: bigint | undefined;
  readonly currency?: string | undefined;
}

/** What an operation leaves behind when it settles: the answer and what it made. */
export interface Settlement {
  readonly response: StoredResponse;
  /** `COMPLETED`, or `FAILED_REPLAYABLE` for a binding refusal. */
  readonly state: "COMPLETED" | "FAILED_REPLAYABLE";
  readonly resource?: ResourceName | undefined;
  /** Of a refusal; also the answer when the policy does not let it bind. */
  readonly refusal?: AppError | undefined;
  /** Outbox rows, written with the answer: both or none. */
  readonly messages?: readonly OutboxMessage[] | undefined;
}

/** The right to execute: every write made under it names this fence. */
export interface Claim {
  readonly operationId: string;
  readonly operation: string;
  readonly key: string;
  readonly fence: number;
  readonly attempt: number;
  /** Version of the contract that the first request of the key asked for: its answer has this version's shape, also once recovery settles it. */
  readonly apiVersion: string;
}

/** The claim of whoever runs a request, with the policy that decides it. */
export interface OwnClaim extends Claim {
  readonly policy: OperationPolicy;
}

interface Named {
  readonly name: string;
  readonly apiVersion: string;
  readonly policy: OperationPolicy;
}

export function claimFrom(definition: Named, key: string, row: ClaimRow): OwnClaim {
  const { operation_id: operationId, fence, attempts: attempt, api_version: apiVersion } = row;
  const { name: operation, policy } = definition;
  return { operationId, operation, key, fence, attempt, apiVersion: apiVersion ?? definition.apiVersion, policy };
}

export interface ResourceName {
  readonly type: string;
  readonly id: string;
}

/** Retention is not the operation's to decide: it belongs to the deployment and to the tenant. */
export type OwnPolicy = Partial<Omit<OperationPolicy, "bodyTtlHours" | "metadataTtlDays">>;

export interface MeshFunctionName {
  readonly name: string;
  readonly version: string;
}

interface DefinitionBase<C> {
  /** `payments.create` …; part of the key's scope. */
  readonly name: string;
  /** The function of the mesh that runs it: each version of a function is an operation of its own, with keys of its own. */
  readonly meshFunction?: MeshFunctionName;
  /**
   * Version of the contract for who asks for none; part of the fingerprint. A later version sorts behind an earlier one, as text. A key that is
   * retried under another version is compared, and answered, by that of its first request.
   */
  readonly apiVersion: string;
  /** Of the answers' shape. */
  readonly schemaVersion: string;
  /**
   * Versions of the contract that callers may ask for by `API-Version`, each with the version of its answers' shape: `apiVersion` and those
   * beside it. `run`, `settle` and `represent` answer in the shape of the claim's. Missing: there is one version, and the header is not read.
   */
  readonly versions?: Versions;
  /**
   * What it is done to, in one word ("payment"), where it obeys the policy `newKey`: under `once` it refuses another key for the same one. Missing: a
   * tenant cannot decide that.
   */
  readonly onceFor?: string;
  /** What this operation decides otherwise than the deployment; a tenant may decide otherwise again. */
  readonly policy: OwnPolicy;
  /**
   * The command after defaults, field by field, as it is fingerprinted and stored.
   * @param apiVersion of the row that it is compared with: a field that came later must not turn an old retry into a conflict
   */
  fields(command: C, apiVersion: string): CanonicalFields;
  describe(command: C): Subject;
  /** The resource as it is now, for replays by reference. @returns undefined when there is none any more */
  represent?(ctx: EngineContext, resource: ResourceName, apiVersion: string): Promise<StoredResponse | undefined>;
}

/** Runs a transaction: commits what `work` did once it ends, takes it back when it throws. */
export type Transact = <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>;

/** Connections of somebody else's pool, on which several requests share a transaction. */
export interface SharedConnections {
  readonly pool: Database["pool"];
  /** For the engine's own statements on an open connection of the pool. */
  ours(tx: Queryable): Queryable;
  /** What every `run` of one transaction gets: one statement at a time, whichever of them asks. */
  theirs(tx: Queryable): Queryable;
}

/** One durable transaction covers everything. */
export interface LocalOperation<C> extends DefinitionBase<C> {
  readonly path: "local";
  /** Where another library begins and commits; missing: a transaction of the engine's own. */
  readonly transact?: Transact | undefined;
  /**
   * Requests that are here together may share one transaction. True only where `run` works through `tx` alone, does not wait for
   * anything else, and may be run once more: one request that fails undoes them all, and each then runs by itself.
   */
  readonly sharesTransaction?: boolean | undefined;
  /** Over whose connections they do where `transact` is there; missing: such requests share none. */
  readonly sharedOver?: SharedConnections | undefined;
  run(ctx: EngineContext, tx: Queryable, claim: OwnClaim, command: C): Promise<Settlement>;
}

/** What the provider finally said, whoever asked. */
export type ProviderOutcome =
  | { readonly kind: "succeeded"; readonly reference: string }
  | { readonly kind: "declined"; readonly reference: string | undefined; readonly code: string };

/** What an operation is settled by. A person with evidence may know no reference of the provider: then none is kept. */
export type SettlingOutcome = ProviderOutcome | { readonly kind: "succeeded"; readonly reference: undefined };

/** The provider surely did nothing: it was not reached, or it did not take the request. */
export interface ProviderNoEffect {
  readonly kind: "no_effect";
  readonly reason: string;
  readonly code: "unavailable" | "rate_limited" | "refused";
  /** Seconds. */
  readonly retryAfter?: number;
  /** Whole sentences for the caller, where this side knows what is missing. */
  readonly detail?: string;
}

/** The provider has something else under our key than what was asked for: no machine settles that, and nothing is freed. */
export interface ProviderContradiction {
  readonly kind: "contradicting";
  readonly reference: string | undefined;
  readonly reason: string;
}

/** What one call came to. */
export type ProviderResult =
  | ProviderOutcome
  | { readonly kind: "processing"; readonly reference: string }
  | ProviderNoEffect
  | ProviderContradiction
  /** The provider may have acted. */
  | { readonly kind: "indefinite"; readonly reason: string };

/** What one call or one look-up came to. */
export type ProviderReply =
  ProviderResult | { readonly kind: "absent" } | { readonly kind: "unreachable"; readonly reason: string };

/** Ready to be sent, or refused by a rule of the business: then the refusal is the answer of this key. */
export type Preparation<Call = unknown> =
  | { readonly kind: "ready"; readonly prepared: Prepared; readonly call: Call }
  | { readonly kind: "refused"; readonly settlement: Settlement };

export interface Prepared {
  readonly providerKey: string;
  readonly kind: string;
  readonly amountMinor: bigint | undefined;
  readonly currency: string | undefined;
}

/**
 * Crosses to a provider. `prepare` and `settle` run inside a transaction of the engine; `send` and `lookUp` run with none open.
 * All but `prepare` find what they need by the operation id, so recovery can call them without the command.
 * @typeParam Call what goes to the provider; the engine only hands it on, from `prepare` to `send`
 */
export interface ProviderOperation<C, Call = unknown> extends DefinitionBase<C> {
  readonly path: "provider";
  /** Name of the provider and whether it keeps what recovery relies on. */
  readonly provider: ProviderFacts;
  /** `prepare` and `settle` may share a transaction with those of other requests: on the terms of {@link LocalOperation.sharesTransaction}. */
  readonly sharesTransaction?: boolean | undefined;
  /**
   * Creates the local row, or finds the one of an earlier attempt. A refusal may leave no row behind.
   * @throws AppError definite, for a refusal that does not bind: the same key may run again
   */
  prepare(ctx: EngineContext, tx: Queryable, claim: OwnClaim, command: C): Promise<Preparation<Call>>;
  /** @param call of `prepare`; without it the operation's own rows say what to send, and they say the same */
  send(ctx: EngineContext, operationId: string, call?: Call): Promise<ProviderReply>;
  lookUp(ctx: EngineContext, operationId: string, providerKey: string): Promise<ProviderReply>;
  /** Turns the outcome into business rows, outbox rows and the answer. */
  settle(ctx: EngineContext, tx: Queryable, claim: Claim, outcome: SettlingOutcome): Promise<Settlement>;
  /** Takes the local row back after a definite failure without effect; the same key may run again. */
  release(ctx: EngineContext, tx: Queryable, operationId: string): Promise<void>;
}

/** Work that no single transaction can hold. Its claim commits first, and recovery frees its key: nobody can be asked what became of it. */
export interface TaskOperation<C> extends DefinitionBase<C> {
  readonly path: "task";
  /** @param keep keeps the answer, in the transaction of the effect; it must be called */
  run(ctx: EngineContext, keep: (tx: Queryable, settlement: Settlement) => Promise<void>): Promise<void>;
}

export type OperationDefinition<C> = LocalOperation<C> | ProviderOperation<C> | TaskOperation<C>;

/** A definition with the policy that holds for one tenant now. */
export type Bound<Definition> = Omit<Definition, "policy"> & { readonly policy: OperationPolicy };
export type BoundLocal<C> = Bound<LocalOperation<C>>;
export type BoundProvider<C> = Bound<ProviderOperation<C>>;
export type BoundTask<C> = Bound<TaskOperation<C>>;
export type BoundOperation<C> = BoundLocal<C> | BoundProvider<C> | BoundTask<C>;

/** Definitions by name; recovery works on what it finds in the table, so the command's type is not known there. */
export interface OperationRegistry {
  provider(name: string): ProviderOperation<never> | undefined;
}
