import { randomBytes } from "node:crypto";
import { createDatabase } from "@/db/client";
import type { ProviderResult } from "@/engine/execute/operation";
import type { PaymentProvider, ProviderRequest } from "@/payments/provider/port";
import type { ChildPlace } from "../child/protocol";
import type { SeamQuery, SeamRun } from "../child/seams";
import { argumentAt, replaceStatement, type CodeBug } from "./bug";

const MARKED = { rows: [{ value: true }], rowCount: 1 };

/** The mark that a request is about to be sent is forgotten: after a death recovery believes that nothing was sent. */
export function sentNotMarked(): CodeBug {
  return { seams: [replaceStatement("mark_sent", () => Promise.resolve(MARKED))] };
}

/** The mark comes after the call instead of before it. */
export function markedAfterSend(): CodeBug {
  const waiting: SeamRun[] = [];
  return {
    seams: [
      replaceStatement("mark_sent", (run) => {
        waiting.push(run);
        return Promise.resolve(MARKED);
      }),
    ],
    provider: (provider) =>
      sendingWith(provider, async (send) => {
        const result = await send();
        await Promise.all(waiting.splice(0).map((run) => run()));
        return result;
      }),
  };
}

/** An error after which the provider may have acted counts as "nothing happened". */
export function indefiniteIsNoEffect(): CodeBug {
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

/** The answer to a caller says "nothing happened", also when nobody knows. */
export function doubtReportedAsNo(): CodeBug {
  return { result: (result) => (result.certainty === "indefinite" ? { ...result, certainty: "definite" } : result) };
}

/** Each call to the provider has a key of its own instead of the stable one. */
export function newProviderKey(): CodeBug {
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
export function outboxAfterCommit({ databaseUrl, instance }: ChildPlace): CodeBug {
  const outside = createDatabase({ url: databaseUrl, role: "owner", max: 1, applicationName: instance });
  const later: SeamQuery[] = [];
  const insert = (query: SeamQuery) =>
    outside.pool.query({
      text: `insert into onceboard.outbox_messages (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload,
               headers, created_at, next_attempt_at)
             select $1, m.id, $2, m.aggregate_type, m.aggregate_id, m.topic, m.type, m.payload, m.headers, now(), now()
             from jsonb_to_recordset($3::jsonb) as m(
               id uuid, aggregate_type text, aggregate_id text, topic text, type text, payload jsonb, headers jsonb)`,
      values: ["tenant", "operation_id", "outbox"].map((name) => query.values[argumentAt(query, name)]),
    });
  return {
    seams: [
      replaceStatement("complete", (run, query) => {
        const outbox = argumentAt(query, "outbox");
        if (typeof query.values[outbox] !== "string") return undefined;
        later.push(query);
        return run({ name: "complete", text: query.text, values: query.values.with(outbox, null) });
      }),
      replaceStatement("commit", async (run) => {
        const done = await run();
        for (const waiting of later.splice(0)) await insert(waiting);
        return done;
      }),
    ],
  };
}

/** Business rows are committed first, the answer follows in a second transaction. */
export function answerInSecondTransaction(): CodeBug {
  return {
    seams: [
      replaceStatement("complete", async (run) => {
        await run("commit");
        await run("begin");
        return run();
      }),
    ],
  };
}

/** The caller gets the answer that it is done, and what was to be committed is gone. */
export function acknowledgedNotCommitted(): CodeBug {
  let completed = false;
  return {
    seams: [
      replaceStatement("complete", () => {
        completed = true;
        return undefined;
      }),
      replaceStatement("commit", (run) => {
        if (!completed) return undefined;
        completed = false;
        return run("rollback").then(() => ({ command: "COMMIT", rows: [] }));
      }),
    ],
  };
}
