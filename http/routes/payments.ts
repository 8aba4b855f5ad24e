import type { Hono } from "hono";
import { AppError } from "@/domain/errors";
import { paymentBody, refundBody, voidBody } from "@/payments/commands";
import { readRefundCommand } from "@/payments/create-refund";
import { readPayment, readRefund } from "@/payments/read";
import { readVoidCommand } from "@/payments/void-payment";
import { validate } from "../body/validate";
import type { ApiEnv } from "../env";
import { requireClient } from "../guard/client";
import { actorOf, contextOf } from "../guard/request-context";
import { jsonAnswer } from "../profiles/plain";
import type { Services } from "../services";
import { keyedHandler } from "./keyed";
import { UUID } from "@/domain/uuid";

export function registerPayments(app: Hono<ApiEnv>, services: Services): void {
  const { operations } = services.deps;
  app.post(
    "/api/v1/payments",
    keyedHandler(services, {
      action: "payments.write",
      definition: operations.createPayment,
      command: (_ctx, body, policy) => validate(paymentBody, body, policy),
    }),
  );
  app.post(
    "/api/v1/refunds",
    keyedHandler(services, {
      action: "payments.write",
      definition: operations.createRefund,
      command: (ctx, body, policy) => readRefundCommand(ctx, validate(refundBody, body, policy)),
    }),
  );
  app.post(
    "/api/v1/payments/:id/void",
    keyedHandler(services, {
      action: "payments.write",
      definition: operations.voidPayment,
      bodyOptional: true,
      command: (ctx, body, policy, c) => {
        validate(voidBody, body, policy);
        return readVoidCommand(ctx, { paymentId: idOf(c.req.param("id"), "payment") });
      },
    }),
  );
  app.get("/api/v1/payments/:id", async (c) => {
    const client = await requireClient(c, "payments.read");
    services.limiters.calls.take(client.keyId);
    const id = idOf(c.req.param("id"), "payment");
    return jsonAnswer(c, await readPayment(contextOf(c, client.tenantId, actorOf(client)), id));
  });
  app.get("/api/v1/refunds/:id", async (c) => {
    const client = await requireClient(c, "payments.read");
    services.limiters.calls.take(client.keyId);
    const id = idOf(c.req.param("id"), "refund");
    return jsonAnswer(c, await readRefund(contextOf(c, client.tenantId, actorOf(client)), id));
  });
}

/** What is no id at all is not found either, and never reaches the database. */
function idOf(text: string | undefined, kind: "payment" | "refund"): string {
  if (text !== undefined && UUID.test(text)) return text.toLowerCase();
  throw new AppError(`${kind}.not_found`, 404, `There is no such ${kind}`);
}
