import { randomBytes } from "node:crypto";
import { createDatabase } from "@/db/client";
import type { ProviderResult } from "@/engine/execute/operation";
import type { PaymentProvider, ProviderRequest } from "@/payments/provider/port";
import type { ChildPlace, CallResult } from "../child/protocol";
import { MESSAGE_CODE_BUGS } from "./message-code";
import type { SeamRun, Seams } from "../child/seams";
import type { WriteEffect } from "../child/recorder-consumer";

/** A planted bug of our own code, worn by every child that is told its name. */
export interface PlantedCodeBug {
  readonly seams?: readonly Seams[];
  provider?(provider: PaymentProvider): PaymentProvider;
  result?(told: CallResult): CallResult;
  /** Instead of the suite's own consumer's. */
  readonly effect?: WriteEffect;
}

/** What `mark_sent` answers when it did its work. */
const MARKED = { rows: [{ done: true }], rowCount: 1 };
/** Position of the outbox rows among the arguments of complete(), as db/operations/complete.ts sends them. */
const OUTBOX_ARGUMENT = 12;

/** The mark that a request is about to be sent is forgotten: after a death recovery believes that nothing was sent. */
function sentNotMarked(): PlantedCodeBug {
  return { seams: [{ instead: (statement) => (statement === "mark_sent" ? Promise.resolve(MARKED) : undefined) }] };
}

/** The mark comes after the call instead of before it. */
function markedAfterSend(): PlantedCodeBug {
  const waiting: SeamRun[] = [];
  const mark: Seams = {
    instead(statement, run) {
      if (statement !== "mark_sent") return undefined;
      waiting.push(run);
      return Promise.resolve(MARKED);
    },
  };
  return {
    seams: [mark],
    provider: (provider) =>
      sendingWith(provider, async (send) => {
        const result = await send();
        await Promise.all(waiting.splice(0).map((run) => run()));
        return result;
      }),
  };
}

/** An error after which the provider may have acted counts as "nothing happened". */
function indefiniteIsNoEffect(): PlantedCodeBug {
  return {
    provider: (provider) =>
      sendingWith(provider, async (send) => {
        const result = await send();
        return result.kind === "indefinite"
          ? { kind: "no_effect", code: "unavailable", reason: result.reason }
          : result;
      }),
  };
}

/** What a caller is told of an error says "nothing happened", also when nobody knows. */
function doubtReportedAsNo(): PlantedCodeBug {
  return { result: (told) => (told.certainty === "indefinite" ? { ...told, certainty: "definite" } : told) };
}

/** Each call to the provider has a key of its own instead of the stable one. */
function newProviderKey(): PlantedCodeBug {
  return {
    provider: (provider) =>
      sendingWith(provider, (send, request) =>
        send({ ...request, providerKey: `${request.providerKey}_${randomBytes(4).toString("hex")}` }),
      ),
  };
}

function sendingWith(
  provider: PaymentProvider,
  around: (
    send: (other?: ProviderRequest) => Promise<ProviderResult>,
    request: ProviderRequest,
  ) => Promise<ProviderResult>,
): PaymentProvider {
  const wrap =
    (kind: "charge" | "refund" | "void"): PaymentProvider["charge"] =>
    (request, options) =>
      around((other = request) => provider[kind](other, options), request);
  return { ...provider, charge: wrap("charge"), refund: wrap("refund"), void: wrap("void") };
}

/** The event is written after the commit that made it true, in a transaction of its own. */
function outboxAfterCommit({ databaseUrl, instance }: ChildPlace): PlantedCodeBug {
  const outside = createDatabase({ url: databaseUrl, role: "owner", max: 1, applicationName: instance });
  const later: (readonly unknown[])[] = [];
  const insert = async ([tenant, operationId, , , , , , , , , , , outbox]: readonly unknown[]) =>
    outside.pool.query({
      text: `insert into onceboard.outbox_messages (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload,
               headers, created_at, next_attempt_at)
             select $1, m.id, $2, m.aggregate_type, m.aggregate_id, m.topic, m.type, m.payload, m.headers, now(), now()
             from jsonb_to_recordset($3::jsonb) as m(
               id uuid, aggregate_type text, aggregate_id text, topic text, type text, payload jsonb, headers jsonb)`,
      values: [tenant, operationId, outbox],
    });
  return {
    seams: [
      {
        instead(statement, run, query) {
          if (statement === "complete" && typeof query.values[OUTBOX_ARGUMENT] === "string") {
            later.push(query.values);
            const values = query.values.map((value, index) => (index === OUTBOX_ARGUMENT ? null : value));
            return run({ name: statement, text: query.text, values });
          }
          if (statement !== "commit") return undefined;
          return (async () => {
            const done = await run();
            for (const waiting of later.splice(0)) await insert(waiting);
            return done;
          })();
        },
      },
    ],
  };
}

/** Business rows are committed first, the answer follows in a second transaction. */
function answerInSecondTransaction(): PlantedCodeBug {
  return {
    seams: [
      {
        instead(statement, run) {
          if (statement !== "complete") return undefined;
          return (async () => {
            await run("commit");
            await run("begin");
            return run();
          })();
        },
      },
    ],
  };
}

/** The caller is told that it is done, and what was to be committed is gone. */
function acknowledgedNotCommitted(): PlantedCodeBug {
  let completed = false;
  return {
    seams: [
      {
        instead(statement, run) {
          if (statement === "complete") completed = true;
          if (statement !== "commit" || !completed) return undefined;
          completed = false;
          return run("rollback").then(() => ({ command: "COMMIT", rows: [] }));
        },
      },
    ],
  };
}

/** By name; a child makes its own at its start. */
export const CODE_BUGS: Readonly<Record<string, (place: ChildPlace) => PlantedCodeBug>> = {
  ...MESSAGE_CODE_BUGS,
  sent_not_marked: sentNotMarked,
  marked_after_send: markedAfterSend,
  indefinite_is_no_effect: indefiniteIsNoEffect,
  doubt_told_as_no: doubtReportedAsNo,
  new_provider_key: newProviderKey,
  outbox_after_commit: outboxAfterCommit,
  answer_in_second_transaction: answerInSecondTransaction,
  acknowledged_not_committed: acknowledgedNotCommitted,
};
