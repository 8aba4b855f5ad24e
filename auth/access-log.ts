import { setTimeout as delay } from "node:timers/promises";
import { v7 as uuidv7 } from "uuid";
import type { Database } from "@/db/client";
import { withoutDeadline } from "@/db/deadline";
import { inTransaction } from "@/db/transaction";
import { withTimeout } from "@/domain/with-timeout";
import type { Actor } from "@/engine/context";
import { audit, type AuditEntry } from "@/engine/actions/audit";
import type { Log } from "@/engine/telemetry/log";

/** Entries that wait in memory at the most; beyond it one is left out, and the process's log says so. */
const MAX_WAITING = 1_000;
/** Of these, what nobody waits for: refusals of an attack must not keep the sign-ins of others out. */
const MAX_LATER = 200;
/** How long a sign-in waits for its own entry; it is written all the same. */
const WAIT_MS = 300;
const LOCK_TIMEOUT_MS = 5_000;
const TRIES = 3;
const RETRY_MS = 500;

export type AccessEntry = Omit<AuditEntry, "subject"> & {
  readonly actor: Actor;
  readonly operatorId: string;
  readonly requestId: string | undefined;
};

export async function recordAccess(
  tx: Parameters<typeof audit>[1],
  { actor, operatorId, requestId, ...entry }: AccessEntry,
): Promise<void> {
  const subject = { type: "operator", id: operatorId } as const;
  await audit({ tenantId: "", actor, requestId: requestId ?? uuidv7() }, tx, { ...entry, subject });
}

/** In order and beside the request: a sign-in does not fail because the chain is busy. */
export type AccessLog = ReturnType<typeof createAccessLog>;

export function createAccessLog(db: Pick<Database, "pool">, log?: Log) {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;

  /** One after the other, so that the chain has them in the order in which they happened. */
  function enqueue(find: () => Promise<AccessEntry | undefined>, most: number): Promise<void> {
    if (waiting >= most) {
      log?.error({ waiting }, "the access log cannot keep up: an entry was left out");
      return Promise.resolve();
    }
    waiting += 1;
    // It is written whether or not whoever caused it still waits.
    last = last.then(() => withoutDeadline(() => write(find))).finally(() => void (waiting -= 1));
    return last;
  }

  async function write(find: () => Promise<AccessEntry | undefined>): Promise<void> {
    let entry: AccessEntry | undefined;
    for (let tries = 1; ; tries += 1) {
      try {
        entry ??= await find();
        const found = entry;
        if (found !== undefined) {
          await inTransaction(db, (tx) => recordAccess(tx, found), { lockTimeoutMs: LOCK_TIMEOUT_MS });
        }
        return;
      } catch (error) {
        if (tries === TRIES) {
          // Whoever reads the process's log still learns of it.
          log?.error(
            { err: error, reason: `${entry?.action ?? "refused"} of ${entry?.operatorId ?? "somebody"}` },
            "an entry of the access log could not be written",
          );
          return;
        }
        await delay(RETRY_MS * tries);
      }
    }
  }

  return {
    /** @returns when it is written, at the latest after {@link WAIT_MS}; never throws */
    async record(entry: AccessEntry): Promise<void> {
      await withTimeout(
        enqueue(() => Promise.resolve(entry), MAX_WAITING),
        WAIT_MS,
        () => undefined,
      );
    },
    /** Finds the entry and writes it; nobody waits for it. */
    later(find: () => Promise<AccessEntry | undefined>): void {
      void enqueue(find, MAX_LATER);
    },
    async flush(): Promise<void> {
      await last;
    },
  };
}
