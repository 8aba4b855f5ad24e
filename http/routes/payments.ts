import type { Hono } from "hono";
import { z } from "zod";
import { AppError } from "@/domain/errors";
import { UUID } from "@/domain/uuid";
import { createPaymentBody, createRefundBody, voidBody } from "@/payments/commands";
import { readRefundCommand } from "@/payments/create-refund";
import { readPayment, readRefund } from "@/payments/read";
import { readVoidCommand } from "@/payments/void-payment";
import { paymentAnswer, refundAnswer } from "../docs/schemas";
import type { ApiEnv } from "../env";
import { jsonAnswer } from "../profiles/plain";
import type { Services } from "../services";
import { declareCall, declareKeyed } from "./keyed";

const params = { id: z.uuid() };
/** Of every call that the provider decides. */
const PROVIDER_ERRORS = ["dependency.timeout", "dependency.refused", "transient.owner_lost"];

export function registerPayments(app: Hono<ApiEnv>, services: Services): void {
  const { operations } = services.deps;
  declareKeyed(app, services, "POST /api/v1/payments", {
    id: "createPayment",
    summary: "Take a payment",
    access: "payments.write",
    definition: operations.createPayment,
    body: { ...createPaymentBody, schema: createPaymentBody.schema.meta({ id: "CreatePayment" }) },
    command: (_ctx, body) => body,
    answers: { 201: { text: "The payment", schema: paymentAnswer } },
    errors: [
      "validation.amount",
      "payment.insufficient_funds",
      "payment.declined",
      "payment.duplicate_reference",
      ...PROVIDER_ERRORS,
    ],
  });
  declareKeyed(app, services, "POST /api/v1/refunds", {
    id: "createRefund",
    summary: "Give money back, never more than what is left",
    access: "payments.write",
    definition: operations.createRefund,
    body: { ...createRefundBody, schema: createRefundBody.schema.meta({ id: "CreateRefund" }) },
    command: (ctx, body) => readRefundCommand(ctx, body),
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
  });
  declareKeyed(app, services, "POST /api/v1/payments/:id/void", {
    id: "voidPayment",
    summary: "Void a payment",
    access: "payments.write",
    params,
    definition: operations.voidPayment,
    body: { schema: voidBody },
    bodyOptional: true,
    command: (ctx, _body, id) => readVoidCommand(ctx, { paymentId: idOf(id, "payment") }),
    answers: { 200: { text: "The voided payment", schema: paymentAnswer } },
    errors: [
      "payment.not_found",
      "payment.not_settled",
      "payment.not_voidable",
      "payment.declined",
      ...PROVIDER_ERRORS,
    ],
  });
  registerReads(app, services);
}

function registerReads(app: Hono<ApiEnv>, services: Services): void {
  const payment = {
    id: "readPayment",
    summary: "A payment as it is now",
    access: "payments.read",
    params,
    answers: { 200: { text: "The payment", schema: paymentAnswer } },
    errors: ["payment.not_found"],
  } as const;
  declareCall(app, services, "GET /api/v1/payments/:id", payment, async (c, ctx) =>
    jsonAnswer(c, await readPayment(ctx, idOf(c.req.param("id"), "payment"))),
  );
  const refund = {
    id: "readRefund",
    summary: "A refund as it is now",
    access: "payments.read",
    params,
    answers: { 200: { text: "The refund", schema: refundAnswer } },
    errors: ["refund.not_found"],
  } as const;
  declareCall(app, services, "GET /api/v1/refunds/:id", refund, async (c, ctx) =>
    jsonAnswer(c, await readRefund(ctx, idOf(c.req.param("id"), "refund"))),
  );
}

/** What is no id at all is not found either, and never reaches the database. */
function idOf(text: string | undefined, kind: "payment" | "refund"): string {
  if (text !== undefined && UUID.test(text)) return text.toLowerCase();
  throw new AppError(`${kind}.not_found`, 404, `There is no such ${kind}`);
}
