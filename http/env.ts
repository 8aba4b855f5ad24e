import type { HttpBindings } from "@hono/node-server";
import type { ApiClient } from "@/auth/api-keys/api-keys";
import type { Operator } from "@/auth/operator-session";
import type { Auth } from "@/auth/sessions";
import type { Database } from "@/db/client";
import type { ReadReplica } from "@/db/replica/read-replica";
import type { Config } from "@/domain/config";
import type { AppError } from "@/domain/errors";
import type { BodyKeyring } from "@/engine/bodies/body-keyring";
import type { ConsumerRegistry } from "@/engine/inbox/consumer";
import type { EngineBase, EngineContext } from "@/engine/context";
import type { Log } from "@/engine/telemetry/log";
import type { OperationRegistry } from "@/engine/execute/operation";
import type { AnswerRecorder } from "@/engine/execute/recorders";
import type { Modules } from "@/engine/module/load";
import type { RateLimits } from "./guard/rate-limit";

/** Everything that lives as long as a process. Also what the worker and the pages work with. */
export interface Container {
  readonly db: Database;
  /** What pages are read from, where DATABASE_URL_READ names it. */
  readonly replica?: ReadReplica | undefined;
  readonly config: Config;
  readonly auth: Auth;
  /** What this process runs. */
  readonly modules: Modules;
  readonly registry: OperationRegistry;
  /** Who takes which inbound event. */
  readonly consumers: ConsumerRegistry;
  readonly keyring: BodyKeyring;
  readonly answers: AnswerRecorder;
  readonly log: Log;
  /** Name of this process on leases, e.g. `api-4711-3f2a`. */
  readonly instance: string;
  /** The part of it that the engine's contexts are made of. */
  readonly engine: EngineBase;
  /** Other limits than the default ones, for tests and small machines. */
  readonly limits?: Partial<RateLimits> | undefined;
}

export interface RequestVariables {
  readonly deps: Container;
  /** UUIDv7, answered as `Request-Id`. */
  requestId: string;
  /** `performance.now()` when the request arrived. */
  receivedAt: number;
  /** The trace that this request belongs to: ours while spans are exported, else the caller's as it came. */
  traceparent: string | undefined;
  /** The `Idempotency-Key` as it was sent, once it is known to be a good one; echoed on every answer. */
  keyEcho: string | undefined;
  /** The policy let a request without a key run. */
  unkeyed?: boolean;
  client: ApiClient | undefined;
  /** How this route says an error, where it is not by the profile of its caller. */
  refusal: ((error: AppError) => Response) | undefined;
}

/** Bindings are there when node-server hosts us, and absent behind Next. */
export interface ApiEnv {
  Bindings: Partial<HttpBindings>;
  Variables: RequestVariables;
}

/** What the guard of the admin routes leaves for their handlers. */
export interface AdminEnv {
  Bindings: Partial<HttpBindings>;
  Variables: RequestVariables & {
    /** Tenant, actor and request of this call. */
    ctx: EngineContext;
    /** What a read route of a person's page reads from; an API key, and whoever acts, has none but the primary. */
    pageDb?: Database | undefined;
    /** The person of the session; none for an API key. */
    operator?: Operator | undefined;
  };
}
