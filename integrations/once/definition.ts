import type { OperationKind } from "@/domain/operation-kind";
import type { Queryable } from "@/db/client";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "@/engine/context";
import type {
  LocalOperation,
  OwnClaim,
  OwnPolicy,
  Settlement,
  SharedConnections,
  Subject,
  Transact,
} from "@/engine/execute/operation";
import type { LibraryTransaction } from "../transactions/transactions";
import { UsageError } from "../usage-error";
import { settlementOf, type WorkAnswer } from "./answer";
import { commandFields } from "./command-fields";

/** What the console shows of an operation of this service, and how the operation treats its keys. */
export interface OnceKind extends Partial<Pick<OperationKind, "route" | "expects" | "version">> {
  /** `orders.place`: part of the key's identity. */
  readonly name: string;
  readonly label: string;
  /** What it decides otherwise than the deployment; a tenant may decide otherwise again. */
  readonly policy?: OwnPolicy | undefined;
  /** Part of the fingerprint; "1" by default. */
  readonly apiVersion?: string | undefined;
  /** Of the answer's body; "1" by default. */
  readonly schemaVersion?: string | undefined;
  /**
   * Requests that are here together may share one transaction; over `pg` alone, elsewhere each has its own. True only where the work has no
   * effect but on `tx` and waits for nothing else: one request that fails undoes them all, and each then runs by itself.
   */
  readonly sharesTransaction?: boolean | undefined;
}

/** The caller's work. It may run again after a lost race, so its only effect is on `tx`. */
export type Work<Tx> = (tx: Tx, claim: OwnClaim) => Promise<WorkAnswer>;

/** How the work of one request went, besides its answer. */
export interface WorkTrace {
  /** What it threw, when its last run threw. */
  thrown?: { readonly error: unknown } | undefined;
  /** What it answered last. */
  settled?: Settlement | undefined;
}

interface Run<Tx> {
  readonly work: Work<Tx>;
  readonly transact: Transact;
  readonly sharedOver: SharedConnections | undefined;
  readonly subject: () => Subject;
  readonly trace: WorkTrace;
}

/** Part of every index of keys, so it is short. */
const NAME = /^[^\p{Cc}]{1,200}$/u;
const CONSOLE_NAMES = "admin.";
const FIRST_VERSION = "1";

/** The work of one request as the engine runs it. */
export function definitionOf<Tx>(kind: OnceKind, run: Run<Tx>): LocalOperation<object> {
  const { work, transact, sharedOver, subject, trace } = run;
  const { name, apiVersion = FIRST_VERSION, schemaVersion = FIRST_VERSION, policy = {}, sharesTransaction } = kind;
  if (!NAME.test(name) || name.startsWith(CONSOLE_NAMES))
    throw new UsageError(
      "operation.name",
      "An operation needs a name of 1 to 200 characters in one line; those that begin with admin. are the console's.",
    );
  return {
    name,
    path: "local",
    apiVersion,
    schemaVersion,
    policy,
    transact,
    sharesTransaction,
    sharedOver,
    fields: commandFields,
    describe: subject,
    async run(ctx, tx, claim) {
      trace.thrown = undefined;
      try {
        return (trace.settled = await settled(ctx, tx, claim, work));
      } catch (error) {
        trace.thrown = { error };
        throw error instanceof AppError ? error : workFailed(error);
      }
    },
  };
}

async function settled<Tx>(ctx: EngineContext, tx: Queryable, claim: OwnClaim, work: Work<Tx>): Promise<Settlement> {
  const { own } = tx as LibraryTransaction<Tx>;
  return settlementOf(ctx, claim, await work(own, claim));
}

/** For logs and counters: it is taken back, so that it had no effect is certain. Its caller gets the error itself. */
function workFailed(cause: unknown): AppError {
  return new AppError("transient.work_failed", 500, "The work of the operation failed", { retryable: true, cause });
}

/** @returns the kind as the console knows it */
export function registeredKind(service: string, kind: OnceKind): OperationKind {
  const { name, label, route, expects = {}, version = "" } = kind;
  return { name, label, route, expects, version, owner: service, runsIn: "service", path: "local", actions: [] };
}
