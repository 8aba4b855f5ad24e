import { createHash } from "node:crypto";
import { createDatabase } from "@/db/client";
import { v7 as uuidv7 } from "uuid";
import type { ChildPlace } from "../child/protocol";
import { writeEffect } from "../child/recorder-consumer";
import type { CodeBug } from "./code-bug";

/** Position of the outbox rows among the arguments of complete(), as db/operations/complete.ts sends them. */
const OUTBOX_ARGUMENT = 12;

/** The event is in the consumers' inbox before the transaction that makes it true has ended. */
function eventSentBeforeCommit({ databaseUrl, instance }: ChildPlace): CodeBug {
  const outside = createDatabase({ url: databaseUrl, max: 1, applicationName: instance });
  const send = async ([tenant, operationId, ...rest]: readonly unknown[]): Promise<void> => {
    const messages = JSON.parse(String(rest[OUTBOX_ARGUMENT - 2])) as { id: string; type: string; payload: unknown }[];
    for (const { id, type, payload } of messages) {
      const bytes = JSON.stringify(payload);
      await outside.pool.query({
        text: "select onceboard.receive($1, $2, $3, 'witness', 'onceboard', $4, $5, $6, $7::jsonb, $8, '{}'::jsonb, null)",
        values: [tenant, uuidv7(), uuidv7(), id, type, operationId, bytes, createHash("sha256").update(bytes).digest()],
      });
    }
  };
  return {
    seams: [
      {
        instead(statement, run, query) {
          if (statement !== "complete" || typeof query.values[OUTBOX_ARGUMENT] !== "string") return undefined;
          return send(query.values).then(() => run());
        },
      },
    ],
  };
}

/** What was taken is marked at once, and sent after that. */
function publishedBeforeSent({ databaseUrl, instance }: ChildPlace): CodeBug {
  const outside = createDatabase({ url: databaseUrl, max: 1, applicationName: instance });
  return {
    seams: [
      {
        instead(statement, run, query) {
          if (statement !== "claim_outbox") return undefined;
          return (async () => {
            const taken = (await run()) as { rows: { id: string; fence: number }[] };
            await outside.pool.query({
              text: "select onceboard.publish_outbox($1, $2::uuid[], $3::integer[], 'http')",
              values: [query.values[0], taken.rows.map(({ id }) => id), taken.rows.map(({ fence }) => fence)],
            });
            return taken;
          })();
        },
      },
    ],
  };
}

/** The consumer's effect is committed by itself, whatever becomes of the inbox row. */
function effectOutsideTheTransaction({ databaseUrl, instance }: ChildPlace): CodeBug {
  const outside = createDatabase({ url: databaseUrl, max: 1, applicationName: instance });
  return { effect: (ctx, _tx, message) => writeEffect(ctx, outside.pool, message) };
}

export const MESSAGE_CODE_BUGS: Readonly<Record<string, (place: ChildPlace) => CodeBug>> = {
  event_sent_before_commit: eventSentBeforeCommit,
  published_before_sent: publishedBeforeSent,
  effect_outside_the_transaction: effectOutsideTheTransaction,
};
