import { createHash, randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { createDatabase } from "@/db/client";
import type { ProviderResult } from "@/engine/execute/operation";
import type { PaymentProvider, ProviderRequest } from "@/payments/provider/port";
import type { ChildPlace } from "../child/protocol";
import { writeEffect } from "../child/recorder-consumer";
import type { SeamQuery, SeamRun } from "../child/seams";
import { argumentsOf, type CodeBug } from "./bug";

/** What each of them does wrong stands in the catalogue. */

const MARKED = { rows: [{ value: true }], rowCount: 1 };

/** A connection of its own, beside the transaction. */
const outsideOf = ({ databaseUrl, instance }: ChildPlace, role?: "owner") =>
  createDatabase({ url: databaseUrl, max: 1, applicationName: instance, ...(role && { role }) });

export function sentNotMarked(): CodeBug {
  return { instead: { mark_sent: () => Promise.resolve(MARKED) } };
}

export function markedAfterSend(): CodeBug {
  const waiting: SeamRun[] = [];
  return {
    instead: {
      mark_sent(run) {
        waiting.push(run);
        return Promise.resolve(MARKED);
      },
    },
    provider: sendingWith(async (send) => {
      const result = await send();
      await Promise.all(waiting.splice(0).map((run) => run()));
      return result;
    }),
  };
}

export function indefiniteIsNoEffect(): CodeBug {
  return {
    provider: sendingWith(async (send) => {
      const result = await send();
      return result.kind === "indefinite" ? { kind: "no_effect", code: "unavailable", reason: result.reason } : result;
    }),
  };
}

export function doubtReportedAsNo(): CodeBug {
  return { result: (result) => (result.certainty === "indefinite" ? { ...result, certainty: "definite" } : result) };
}

export function newProviderKey(): CodeBug {
  return {
    provider: sendingWith((send, request) =>
      send({ ...request, providerKey: `${request.providerKey}_${randomBytes(4).toString("hex")}` }),
    ),
  };
}

type Around = (
  send: (other?: ProviderRequest) => Promise<ProviderResult>,
  request: ProviderRequest,
) => Promise<ProviderResult>;

function sendingWith(around: Around): (provider: PaymentProvider) => PaymentProvider {
  return (provider) => {
    const wrap =
      (kind: "charge" | "refund" | "void"): PaymentProvider["charge"] =>
      (request, options) =>
        around((other = request) => provider[kind](other, options), request);
    return { ...provider, charge: wrap("charge"), refund: wrap("refund"), void: wrap("void") };
  };
}

export function outboxAfterCommit(place: ChildPlace): CodeBug {
  const outside = outsideOf(place, "owner");
  const later: SeamQuery[] = [];
  const insert = (query: SeamQuery) =>
    outside.pool.query({
      text: `insert into onceboard.outbox_messages (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload,
               headers, created_at, next_attempt_at)
             select $1, m.id, $2, m.aggregate_type, m.aggregate_id, m.topic, m.type, m.payload, m.headers, now(), now()
             from jsonb_to_recordset($3::jsonb) as m(
               id uuid, aggregate_type text, aggregate_id text, topic text, type text, payload jsonb, headers jsonb)`,
      values: argumentsOf(query, "tenant", "operation_id", "outbox"),
    });
  return {
    instead: {
      complete(run, query) {
        const [outbox] = argumentsOf(query, "outbox");
        if (typeof outbox !== "string") return undefined;
        later.push(query);
        const values = query.values.map((value) => (value === outbox ? null : value));
        return run({ name: "complete", text: query.text, values });
      },
      async commit(run) {
        const done = await run();
        for (const waiting of later.splice(0)) await insert(waiting);
        return done;
      },
    },
  };
}

export function answerInSecondTransaction(): CodeBug {
  return {
    instead: {
      async complete(run) {
        await run("commit");
        await run("begin");
        return run();
      },
    },
  };
}

export function acknowledgedNotCommitted(): CodeBug {
  let completed = false;
  return {
    instead: {
      complete() {
        completed = true;
        return undefined;
      },
      commit(run) {
        if (!completed) return undefined;
        completed = false;
        return run("rollback").then(() => ({ command: "COMMIT", rows: [] }));
      },
    },
  };
}

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
    instead: {
      complete(run, query) {
        const [tenant, operationId, outbox] = argumentsOf(query, "tenant", "operation_id", "outbox");
        return typeof outbox === "string" ? send(tenant, operationId, outbox).then(() => run()) : undefined;
      },
    },
  };
}

export function publishedBeforeSent(place: ChildPlace): CodeBug {
  const outside = outsideOf(place);
  return {
    instead: {
      async claim_outbox(run, query) {
        const taken = (await run()) as { rows: { id: string; fence: number }[] };
        await outside.pool.query({
          text: "select onceboard.publish_outbox($1, $2::uuid[], $3::integer[], 'http')",
          values: [query.values[0], taken.rows.map(({ id }) => id), taken.rows.map(({ fence }) => fence)],
        });
        return taken;
      },
    },
  };
}

export function effectOutsideTheTransaction(place: ChildPlace): CodeBug {
  const outside = outsideOf(place);
  return { effect: (ctx, _tx, message) => writeEffect(ctx, outside.pool, message) };
}
