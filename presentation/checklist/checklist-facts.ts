import type { OperationPolicy } from "@/domain/idempotency/policy";
import type { PolicyFinding } from "@/domain/idempotency/policy-form";
import type { InvariantRow, LoopRow } from "../views/overview";

/** A route under /api/v1 that changes something. */
export interface RouteFact {
  readonly method: string;
  /** "/api/v1/payments/{id}/void" */
  readonly path: string;
  /** Refuses a request without `Idempotency-Key`. */
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
  /** Whether spans are exported. */
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
  readonly policy: OperationPolicy;
  readonly findings: readonly PolicyFinding[];
}

/** Counts of the newest answers of the window. */
export interface AnswerFacts {
  readonly looked: number;
  readonly replays: number;
  readonly differing: number;
  readonly differingIds: readonly string[];
  readonly untraceable: number;
  readonly untraceableIds: readonly string[];
  readonly conflicts: number;
  readonly acceptedConflicts: number;
  readonly acceptedConflictIds: readonly string[];
}

export interface RetryFacts {
  readonly client: string;
  readonly retries: number;
  readonly tooSoon: number;
  readonly hopeless: number;
}

export interface KeyFacts {
  readonly keys: number;
  readonly unhashed: number;
  readonly unhashedIds: readonly string[];
  readonly effects: readonly {
    readonly kind: "payment" | "refund" | "void";
    readonly looked: number;
    readonly unkeyed: number;
    readonly unkeyedIds: readonly string[];
  }[];
}

export interface CleanupFacts {
  readonly daysAhead: number;
  readonly lastRunAt: string | undefined;
  readonly overdueRecords: number;
  readonly overdueWindows: number;
  readonly overdueBodies: number;
}

export interface OpenFacts {
  readonly unknown: number;
  readonly oldestUnknownMs: number | undefined;
  readonly stale: number;
  readonly oldestStaleMs: number | undefined;
}

/** All that the checklist judges by. What was not read in time is undefined. */
export interface ChecklistFacts {
  readonly hours: number;
  /** Rows of each kind that were looked at, at the most. */
  readonly limit: number;
  readonly deployment: DeploymentFacts;
  readonly policies: readonly PolicyFact[];
  readonly answers: AnswerFacts | undefined;
  readonly retries: readonly RetryFacts[] | undefined;
  readonly keys: KeyFacts | undefined;
  readonly constraints: { readonly all: number; readonly missing: readonly string[] } | undefined;
  readonly cleanup: CleanupFacts | undefined;
  readonly open: OpenFacts | undefined;
  readonly invariants: readonly InvariantRow[];
  readonly loops: readonly LoopRow[] | undefined;
}
