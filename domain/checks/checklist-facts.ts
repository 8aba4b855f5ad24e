import type { OperationPolicy, PolicyFinding } from "../idempotency/policy";
import type { KindExpectation } from "../operation-kind";
import type { InvariantRow, LoopRow } from "./rows";

/** A route under /api/v1 that changes something. */
export interface RouteFact {
  readonly method: string;
  /** "/api/v1/payments/{id}/void" */
  readonly path: string;
  readonly keyed: boolean;
  /** What else makes a second request harmless. */
  readonly otherwise?: string | undefined;
}

/** What a deployment is, apart from its data; read from the running app, not from a list of ours. */
export interface DeploymentFacts {
  readonly routes: readonly RouteFact[];
  /** What each wire profile writes into `Idempotency-Status` of a replay. */
  readonly profiles: readonly { readonly name: string; readonly mark: string | undefined }[];
  /** The served API document; undefined when it is not served. */
  readonly document: readonly DocumentedFact[] | undefined;
  /** Names of the metrics that are served; undefined when none are. */
  readonly metrics: readonly string[] | undefined;
  readonly traces: boolean;
}

/** A POST of the API document that declares the header. */
export interface DocumentedFact {
  readonly path: string;
  readonly window: string | undefined;
  readonly statuses: readonly string[];
}

export interface PolicyFact {
  readonly operation: string;
  readonly kind: string;
  readonly route: string;
  /** Whether it takes money or gives some of it back; undefined: it moves none. */
  readonly money?: KindExpectation["money"];
  readonly policy: OperationPolicy;
  readonly findings: readonly PolicyFinding[];
}

/** Rows that are not as they should be. */
export interface WrongRows {
  readonly count: number;
  /** Of the first of them. */
  readonly ids: readonly string[];
}

export interface AnswerFacts {
  readonly looked: number;
  /** When the oldest of them was given, RFC 3339. */
  readonly since?: string | undefined;
  /** Replays whose bytes and status were compared. */
  readonly replays: number;
  readonly differing: WrongRows;
  /** Answers without the attempt or the request that they belong to. */
  readonly untraceable: WrongRows;
  readonly conflicts: number;
  /** Conflicts that were answered with another status than 409 or 422. */
  readonly accepted: WrongRows;
}

export interface RetryFacts {
  readonly client: string;
  /** Requests of a key after its first one had been answered. */
  readonly retries: number;
  /** Before the least Retry-After, one second, was over. */
  readonly tooSoon: number;
  /** After an answer that said that no retry heals it, and with the same outcome again. */
  readonly hopeless: number;
}

export interface KeyFacts {
  readonly keys: number;
  readonly unhashed: WrongRows;
  readonly effects: readonly EffectFacts[];
}

export interface EffectFacts {
  /** As the kind of its operation names it: `payment`. */
  readonly kind: string;
  readonly looked: number;
  readonly unkeyed: WrongRows;
}

export interface CleanupFacts {
  /** Whole days, today included, that every table by day has a partition for; 0 when today has none somewhere. */
  readonly daysAhead: number;
  readonly lastRunAt?: string | undefined;
  /** Records whose days are over and that are still there, of the ones that ended first. */
  readonly overdueRecords: number;
  /** Windows that are over and not marked so. */
  readonly overdueWindows: number;
  readonly overdueBodies: number;
}

export interface OpenFacts {
  readonly unknown: number;
  readonly oldestUnknownMs?: number | undefined;
  readonly stale: number;
  readonly oldestStaleMs?: number | undefined;
}

/** All that the checklist judges by. What was not read in time is undefined. */
export interface ChecklistFacts {
  readonly hours: number;
  /** Rows of each kind that were looked at, at the most. */
  readonly limit: number;
  readonly deployment: DeploymentFacts;
  readonly policies: readonly PolicyFact[];
  readonly answers: AnswerFacts | undefined;
  /** All of the same hours, as the page of metrics counts them. */
  readonly counted: { readonly conflicts: number; readonly replays: number } | undefined;
  readonly retries: readonly RetryFacts[] | undefined;
  readonly keys: KeyFacts | undefined;
  readonly constraints: { readonly all: number; readonly missing: readonly string[] } | undefined;
  readonly cleanup: CleanupFacts | undefined;
  readonly open: OpenFacts | undefined;
  readonly invariants: readonly InvariantRow[];
  readonly loops: readonly LoopRow[] | undefined;
}
