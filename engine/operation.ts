import type { Queryable } from "@/db/client";
import type { OutboxMessage } from "@/db/statements/complete";
import type { AppError } from "@/domain/errors";
import type { CanonicalFields } from "@/domain/canonical";
import type { OperationPolicy } from "@/domain/policy";
import type { ProviderFacts } from "@/domain/provider-capabilities";
import type { StoredResponse } from "./answer";
import type { EngineContext } from "./context";

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
  /** Of a refusal; also what is told when the policy does not let it bind. */
  readonly refusal?: AppError | undefined;
  /** Outbox rows, written with the answer: both or none (S3.5). */
  readonly messages?: readonly OutboxMessage[] | undefined;
}

/** The right to execute: every write made under it names this fence. */
export interface Claim {
  readonly operationId: string;
  readonly operation: string;
  readonly key: string;
  readonly fence: number;
  readonly attempt: number;
}

export interface ResourceName {
  readonly type: string;
  readonly id: string;
}

/** Retention is not the operation's to decide: it belongs to the deployment and to the tenant. */
export type OwnPolicy = Partial<Omit<OperationPolicy, "bodyTtlHours" | "metadataTtlDays">>;

interface DefinitionBase<C> {
  /** `payments.create` …; part of the key's scope. */
  readonly name: string;
  /** Part of the fingerprint: another contract version is another command. Later versions sort behind earlier ones, as text. */
  readonly apiVersion: string;
  readonly schemaVersion: string;
  /** What this operation decides otherwise than the deployment; a tenant may decide otherwise again. */
  readonly policy: OwnPolicy;
  /**
   * The command after defaults, field by field, as it is fingerprinted and stored.
   * @param apiVersion of the row that it is compared with: a field that came later must not turn an old retry into a conflict (S4.2)
   */
  fields(command: C, apiVersion: string): CanonicalFields;
  describe(command: C): Subject;
  /** The resource as it is now, for replays by reference (S4.7). @returns undefined when there is none any more */
  represent?(ctx: EngineContext, resource: ResourceName): Promise<StoredResponse | undefined>;
}

/** One durable transaction covers everything (S4.4). */
export interface LocalOperation<C> extends DefinitionBase<C> {
  readonly path: "local";
  run(ctx: EngineContext, tx: Queryable, claim: Claim, command: C): Promise<Settlement>;
}

/** What the provider finally said, whoever asked: the first owner, recovery, or a person with evidence. */
export type ProviderOutcome =
  | { readonly kind: "succeeded"; readonly reference: string }
  | { readonly kind: "declined"; readonly reference: string | undefined; readonly code: string };

/** What one call or look-up said. */
export type ProviderSaid =
  | ProviderOutcome
  | { readonly kind: "processing"; readonly reference: string | undefined }
  | { readonly kind: "no_effect"; readonly error: AppError; readonly reason: string }
  | { readonly kind: "indefinite"; readonly reason: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unreachable"; readonly reason: string }
  | { readonly kind: "contradicting"; readonly reference: string | undefined; readonly reason: string };

/** Ready to be sent, or refused by a rule of the business: the refusal is the answer of this key (S4.9). */
export type Preparation =
  | { readonly kind: "ready"; readonly prepared: Prepared }
  | { readonly kind: "refused"; readonly settlement: Settlement };

export interface Prepared {
  readonly providerKey: string;
  readonly kind: string;
  readonly amountMinor: bigint | undefined;
  readonly currency: string | undefined;
}

/**
 * Crosses to a provider (S4.5). `prepare` and `settle` run inside a transaction of the engine; `send` and `lookUp` run with
 * none open. All four find what they need by the operation id, so recovery can call them without the command.
 */
export interface ProviderOperation<C> extends DefinitionBase<C> {
  readonly path: "provider";
  /** Name of the provider and whether it keeps what recovery relies on (S1.8). */
  readonly provider: ProviderFacts;
  /**
   * Creates the local row, or finds the one of an earlier attempt. A refusal may leave no row behind.
   * @throws AppError definite, for a refusal that does not bind: the same key may run again
   */
  prepare(ctx: EngineContext, tx: Queryable, claim: Claim, command: C): Promise<Preparation>;
  send(ctx: EngineContext, operationId: string): Promise<ProviderSaid>;
  lookUp(ctx: EngineContext, operationId: string, providerKey: string): Promise<ProviderSaid>;
  /** Turns the outcome into business rows, outbox rows and the answer. */
  settle(ctx: EngineContext, tx: Queryable, claim: Claim, outcome: ProviderOutcome): Promise<Settlement>;
  /** Takes the local row back after a definite failure without effect; the same key may run again. */
  release(ctx: EngineContext, tx: Queryable, operationId: string): Promise<void>;
}

/** Work that no single transaction holds: its claim commits first, and no provider of ours can be asked what became of it. */
export interface TaskOperation<C> extends DefinitionBase<C> {
  readonly path: "task";
  /** @param keep keeps the answer, once, in the transaction of the effect */
  run(ctx: EngineContext, keep: (tx: Queryable, settlement: Settlement) => Promise<void>): Promise<void>;
}

export type OperationDefinition<C> = LocalOperation<C> | ProviderOperation<C> | TaskOperation<C>;

/** A definition with the policy that holds for one tenant now. */
export type BoundLocal<C> = Omit<LocalOperation<C>, "policy"> & { readonly policy: OperationPolicy };
export type BoundProvider<C> = Omit<ProviderOperation<C>, "policy"> & { readonly policy: OperationPolicy };
export type BoundTask<C> = Omit<TaskOperation<C>, "policy"> & { readonly policy: OperationPolicy };
export type BoundOperation<C> = BoundLocal<C> | BoundProvider<C> | BoundTask<C>;

/** Definitions by name; recovery works on what it finds in the table, so the command's type is not known there. */
export interface OperationRegistry {
  provider(name: string): ProviderOperation<never> | undefined;
}
