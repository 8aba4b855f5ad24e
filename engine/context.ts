import type { Database } from "@/db/client";
import type { FingerprintRules } from "@/domain/idempotency/fingerprint-rules";
import type { Grants } from "@/domain/access/grants";
import type { BodyKeyring } from "./bodies/body-keyring";
import type { AuditKeys } from "./audit/audit-keys";
import type { Log } from "./telemetry/log";
import type { KindSource } from "./kinds";
import type { PolicySource } from "./policies/policies";
import type { AnswerRecorder, RefusalRecorder } from "./execute/recorders";
import type { EngineConfig } from "./engine-config";

/** How fresh it is that a person proved who they are, for actions that ask for it (step-up). */
export interface Confirmation {
  /** They signed in or confirmed within the last ten minutes, by the database's clock. */
  readonly fresh: boolean;
  /** How they can do it again. */
  readonly by: readonly ("password" | "code" | "oidc")[];
}

/** A person with their grants. Which role they act with is said by {@link Grants} and the tenant of the context together. */
export interface OperatorActor extends Grants {
  readonly kind: "operator";
  readonly id: string;
  readonly name: string;
  /** Missing: not fresh. */
  readonly confirmation?: Confirmation | undefined;
}

/** Who acts. A client is a program with an API key, an operator a person with a session, a system one of our loops. */
export type Actor =
  | {
      readonly kind: "client";
      readonly id: string;
      readonly name: string;
      readonly scopes: readonly string[];
      /** That of its key. Missing: whoever made the context knows that it is the context's. */
      readonly tenantId?: string | undefined;
    }
  | OperatorActor
  | { readonly kind: "system"; readonly id: string; readonly name: string };

/** Everything a verb needs besides its input. One per request or per tick; holds no state of its own. */
export interface EngineContext {
  readonly db: Database;
  readonly tenantId: string;
  readonly actor: Actor;
  readonly requestId: string;
  /** The process that holds leases taken through this context, e.g. `api-4711-3f2a`. */
  readonly instance: string;
  readonly config: EngineConfig;
  readonly keyring: BodyKeyring;
  readonly policies: PolicySource;
  /** What is registered of operations. */
  readonly kinds: KindSource;
  /** What an API key may be for in this deployment: the scopes of its modules, then the engine's own. */
  readonly scopes: readonly string[];
  readonly fingerprints: FingerprintRules;
  readonly answers: AnswerRecorder;
  /** Requests that left no operation, counted per client. */
  readonly refusals: RefusalRecorder;
  /** What verifies the entries and checkpoints of the audit. */
  readonly auditKeys: AuditKeys;
  readonly log: Log;
  /** The trace that the request belongs to (W3C `traceparent`); kept with the messages that it causes. */
  readonly traceparent?: string | undefined;
}

/** The parts of a context that live as long as the process. */
export type EngineBase = Omit<EngineContext, "tenantId" | "actor" | "requestId" | "traceparent">;

/** What is different for each request or tick. */
type ContextScope = Pick<EngineContext, "tenantId" | "actor" | "requestId"> &
  Partial<Pick<EngineContext, "traceparent" | "log">>;

/** @returns a context for one request or tick; its lines are written by the process's own log where it brings none. */
export function engineContext(base: EngineBase, scope: ContextScope): EngineContext {
  // Member by member: one is made for every request, and spreading costs several times as much.
  return {
    db: base.db,
    tenantId: scope.tenantId,
    actor: scope.actor,
    requestId: scope.requestId,
    instance: base.instance,
    config: base.config,
    keyring: base.keyring,
    policies: base.policies,
    kinds: base.kinds,
    scopes: base.scopes,
    fingerprints: base.fingerprints,
    answers: base.answers,
    refusals: base.refusals,
    auditKeys: base.auditKeys,
    log: scope.log ?? base.log,
    traceparent: scope.traceparent,
  };
}
