import { createHash } from "node:crypto";
import { createDatabase } from "@/db/client";
import { v7 as uuidv7 } from "uuid";
import type { ChildPlace } from "../child/protocol";
import { writeEffect } from "../child/recorder-consumer";
import { argumentAt, replaceStatement, type CodeBug } from "./bug";

const outsideOf = ({ databaseUrl, instance }: ChildPlace) =>
  createDatabase({ url: databaseUrl, max: 1, applicationName: instance });

/** The event is in the consumers' inbox before the transaction that makes it true has ended. */
export function eventSentBeforeCommit(place: ChildPlace): CodeBug {
  const outside = outsideOf(place);
  const send = async (tenant: unknown, operationId: unknown, outbox: string): Promise<void> => {
    for (const { id, type, payload } of JSON.parse(outbox) as { id: string; type: string; payload: unknown }[]) {
      const bytes = JSON.stringify(payload);
      await outside.pool.query({
        text: "select onceboard.receive($1, $2, $3, 'witness', 'onceboard', $4, $5, $6, $7::jsonb, $8, '{}'::jsonb, null)",
        values: [tenant, uuidv7(), uuidv7(), id, type, operationId, bytes, createHash("sha256").update(bytes).digest()],
      });
    }
  };
  return {
    seams: [
      replaceStatement("complete", (run, query) => {
        const [tenant, operationId, outbox] = ["tenant", "operation_id", "outbox"].map(
          (name) => query.values[argumentAt(query, name)],
        );
        return typeof outbox === "string" ? send(tenant, operationId, outbox).then(() => run()) : undefined;
      }),
    ],
  };
}

/** A batch is marked as soon as it is taken, and sent after that. */
export function publishedBeforeSent(place: ChildPlace): CodeBug {
  const outside = outsideOf(place);
  return {
    seams: [
      replaceStatement("claim_outbox", async (run, query) => {
        const taken = (await run()) as { rows: { id: string; fence: number }[] };
        await outside.pool.query({
          text: "select onceboard.publish_outbox($1, $2::uuid[], $3::integer[], 'http')",
          values: [query.values[0], taken.rows.map(({ id }) => id), taken.rows.map(({ fence }) => fence)],
        });
        return taken;
      }),
    ],
  };
}

/** The consumer's effect is committed by itself, whatever becomes of the inbox row. */
export function effectOutsideTheTransaction(place: ChildPlace): CodeBug {
  const outside = outsideOf(place);
  return { effect: (ctx, _tx, message) => writeEffect(ctx, outside.pool, message) };
}
