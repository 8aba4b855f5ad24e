import { newId } from "@/domain/new-id";
import { databaseErrorCode } from "@/db/errors";
import { AppError } from "@/domain/errors";
import type { ConsumerRegistry } from "../consumer";
import { engineContext, type EngineBase } from "@/engine/context";
import { crashPoint } from "@/engine/crash-point";
import { createLineBudget } from "@/engine/telemetry/line-budget";
import { meters } from "@/engine/telemetry/meters";
import { receiveAll, type ReceiveRequest } from "../receive";
import type { BrokerMessage, BrokerName } from "./broker-message";
import type { RefusalReason, VerifiedMessage, Verify } from "./verify";

/** Messages of one tenant that are recorded in one statement. */
export const RECORD_BATCH = 50;
/** A value that PostgreSQL cannot keep as jsonb or text (class 22), and a nesting beyond its stack. */
const UNSTORABLE = /^(22...|54001)$/;

/** Lines about refused messages a second; whoever may publish could write any number. */
const refusedLines = createLineBudget(10);

export interface RecordDeps {
  readonly broker: BrokerName;
  readonly base: EngineBase;
  readonly consumers: ConsumerRegistry;
  readonly verify: Verify;
}

export interface RecordResult {
  readonly recorded: number;
  readonly duplicate: number;
  readonly mismatch: number;
  readonly refused: number;
  /** Not answered: they could not be recorded now. */
  readonly left: readonly BrokerMessage[];
}

type Counts = { -readonly [Name in Exclude<keyof RecordResult, "left">]: number };

/**
 * Verifies what a broker delivered, records it in the inboxes, one transaction for each tenant, and answers the broker after
 * the commit (I4). Whoever dies in between is given the same messages again, and they are duplicates. A message that is not
 * signed by its sender is refused and stored nowhere.
 *
 * @returns never throws: what could not be recorded now is `left` to be given back
 */
export async function recordBatch(deps: RecordDeps, messages: readonly BrokerMessage[]): Promise<RecordResult> {
  const counts: Counts = { recorded: 0, duplicate: 0, mismatch: 0, refused: 0 };
  const left: BrokerMessage[] = [];
  const byTenant = new Map<string, VerifiedMessage[]>();
  for (const message of messages) {
    try {
      const result = await deps.verify(message);
      if (result.ok)
        byTenant.set(result.verified.tenantId, [...(byTenant.get(result.verified.tenantId) ?? []), result.verified]);
      else refuse(deps, message, result.reason, counts);
    } catch (error) {
      deps.base.log.warn({ err: error, part: deps.broker }, "the secrets of a source could not be read");
      left.push(message);
    }
  }
  for (const [tenantId, all] of byTenant) {
    for (let start = 0; start < all.length; start += RECORD_BATCH) {
      left.push(...(await recordTogether(deps, tenantId, all.slice(start, start + RECORD_BATCH), counts)));
    }
  }
  return { ...counts, left };
}

/** @returns what could not be recorded now */
async function recordTogether(
  deps: RecordDeps,
  tenantId: string,
  together: readonly VerifiedMessage[],
  counts: Counts,
): Promise<readonly BrokerMessage[]> {
  const ctx = engineContext(deps.base, {
    tenantId,
    actor: { kind: "system", id: `broker:${deps.broker}`, name: deps.broker },
    requestId: newId(),
  });
  try {
    crashPoint("I1");
    const received = await receiveAll(ctx, deps.consumers, together.map(requestOf));
    crashPoint("I4");
    for (const [index, { message }] of together.entries()) {
      const outcome = received[index]?.outcome ?? "duplicate";
      counts[outcome] += 1;
      meters.arrived.inc({ outcome });
      message.accept();
    }
    return [];
  } catch (error) {
    // An error of ours says that the database is away or busy; everything else is about one message, which is found alone.
    if (together.length > 1 && !(error instanceof AppError)) {
      const left: BrokerMessage[] = [];
      for (const each of together) left.push(...(await recordTogether(deps, tenantId, [each], counts)));
      return left;
    }
    const [only] = together;
    if (only !== undefined && together.length === 1 && isUnstorable(error)) {
      refuse(deps, only.message, "unstorable", counts, only);
      return [];
    }
    ctx.log.warn(
      { err: error, part: deps.broker, rows: together.length },
      "messages of a broker could not be recorded",
    );
    return together.map(({ message }) => message);
  }
}

function requestOf({ message, source, messageId, type, payload, headers }: VerifiedMessage): ReceiveRequest {
  return { source, messageId, type, payload, payloadBytes: message.body, headers };
}

function isUnstorable(error: unknown): boolean {
  return error instanceof RangeError || UNSTORABLE.test(databaseErrorCode(error) ?? "");
}

function refuse(
  { base, broker }: RecordDeps,
  message: BrokerMessage,
  reason: RefusalReason,
  counts: Counts,
  known?: VerifiedMessage,
): void {
  counts.refused += 1;
  meters.refusedFromBrokers.inc({ reason });
  message.refuse();
  const line = refusedLines.take();
  if (line === undefined) return;
  // Nothing of an unverified message is in the line: whoever wrote it would write our log.
  base.log.warn(
    {
      part: broker,
      reason,
      tenantId: known?.tenantId,
      messageId: known?.messageId,
      position: message.position,
      leftOut: line.leftOut,
    },
    "a message of a broker was refused",
  );
}
