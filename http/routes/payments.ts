import type { Hono } from "hono";
import { z } from "zod";
import { AppError } from "@/domain/errors";
import { createPaymentBody, createRefundBody, voidBody } from "@/payments/commands";
import { readRefundCommand } from "@/payments/create-refund";
import { readPayment, readRefund } from "@/payments/read";
import { readVoidCommand } from "@/payments/void-payment";
import { declare } from "../declare";
import { paymentAnswer, refundAnswer } from "../docs/schemas";
import type { ApiEnv } from "../env";
import { requireClient } from "../guard/client";
import { actorOf, contextOf } from "../guard/request-context";
import { jsonAnswer } from "../profiles/plain";
import type { Services } from "../services";
import { keyedHandler } from "./keyed";
import { UUID } from "@/domain/uuid";

const params = { id: z.uuid() };
/** Of every call that the provider decides. */
const PROVIDER_ERRORS = ["dependency.timeout", "dependency.refused", "transient.owner_lost"];

export function registerPayments(app: Hono<ApiEnv>, services: Services): void {
  const { operations } = services.deps;
  const create = {
    id: "createPayment",
    summary: "Take a payment",
    body: createPaymentBody.schema.meta({ id: "CreatePayment" }),
    answers: { 201: { text: "The payment", schema: paymentAnswer } },
    errors: [
      "validation.amount",
      "payment.insufficient_funds",
      "payment.declined",
      "payment.duplicate_reference",
      ...PROVIDER_ERRORS,
    ],
  };
  declare(
    app,
    "POST /api/v1/payments",
    create,
    keyedHandler(services, {
      action: "payments.write",
      definition: operations.createPayment,
      body: { ...createPaymentBody, schema: create.body },
      command: (_ctx, body) => body,
    }),
  );
  const refund = {
    id: "createRefund",
    summary: "Give money back, never more than what is left",
    body: createRefundBody.schema.meta({ id: "CreateRefund" }),
    answers: { 201: { text: "The refund", schema: refundAnswer } },
    errors: [
      "validation.amount",
      "payment.not_found",
      "payment.not_settled",
      "payment.not_refundable",
      "payment.declined",
      "refund.exceeds_remaining",
      ...PROVIDER_ERRORS,
    ],
  };
  declare(
    app,
    "POST /api/v1/refunds",
    refund,
    keyedHandler(services, {
      action: "payments.write",
      definition: operations.createRefund,
      body: { ...createRefundBody, schema: refund.body },
      command: (ctx, body) => readRefundCommand(ctx, body),
    }),
  );
  registerVoid(app, services);
  registerReads(app, services);
}

function registerVoid(app: Hono<ApiEnv>, services: Services): void {
  const voiding = {
    id: "voidPayment",
    summary: "Void a payment",
    params,
    body: voidBody,
    bodyOptional: true,
    answers: { 200: { text: "The voided payment", schema: paymentAnswer } },
    errors: [
      "payment.not_found",
      "payment.not_settled",
      "payment.not_voidable",
      "payment.declined",
      ...PROVIDER_ERRORS,
    ],
  };
  declare(
    app,
    "POST /api/v1/payments/:id/void",
    voiding,
    keyedHandler(services, {
      action: "payments.write",
      definition: services.deps.operations.voidPayment,
      body: { schema: voiding.body },
      bodyOptional: true,
      command: (ctx, _body, c) => readVoidCommand(ctx, { paymentId: idOf(c.req.param("id"), "payment") }),
    }),
  );
}

function registerReads(app: Hono<ApiEnv>, services: Services): void {
  const payment = {
    id: "readPayment",
    summary: "A payment as it is now",
    params,
    answers: { 200: { text: "The payment", schema: paymentAnswer } },
    errors: ["payment.not_found"],
  };
  declare(app, "GET /api/v1/payments/:id", payment, async (c) => {
    const client = await requireClient(c, "payments.read");
    services.limiters.calls.take(client.keyId);
    const id = idOf(c.req.param("id"), "payment");
    return jsonAnswer(c, await readPayment(contextOf(c, client.tenantId, actorOf(client)), id));
  });
  const refund = {
    id: "readRefund",
    summary: "A refund as it is now",
    params,
    answers: { 200: { text: "The refund", schema: refundAnswer } },
    errors: ["refund.not_found"],
  };
  declare(app, "GET /api/v1/refunds/:id", refund, async (c) => {
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
