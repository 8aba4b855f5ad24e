import { z } from "zod";
import { keyedRoute, plainRoute, type Route } from "@/engine/index";
import { createPaymentBody, createRefundBody, readVersion, voidBody } from "../commands";
import { readRefundCommand } from "../create-refund";
import type { Operations } from "../operations";
import { readPayment, readRefund } from "../read";
import { viewIn } from "../views";
import { readVoidCommand } from "../void-payment";
import { anyPayment, anyRefund } from "./answers";
import { PROVIDER_ERRORS } from "./errors";

const SCOPES = ["payments"] as const;
const params = { id: z.uuid().toLowerCase() };
const NO_PAYMENT = { code: "payment.not_found", title: "There is no such payment" };

export function paymentRoutes({ createPayment, createRefund, voidPayment }: Operations): readonly Route[] {
  return [
    keyedRoute({
      method: "POST",
      path: "/payments",
      id: "createPayment",
      summary: "Take a payment",
      scopes: SCOPES,
      operation: createPayment,
      body: { ...createPaymentBody, schema: createPaymentBody.schema.meta({ id: "CreatePayment" }) },
      command: (_ctx, body) => body,
      answers: { 201: { text: "The payment", schema: anyPayment } },
      errors: [
        "validation.amount",
        "payment.insufficient_funds",
        "payment.declined",
        "payment.duplicate_reference",
        ...PROVIDER_ERRORS,
      ],
    }),
    keyedRoute({
      method: "POST",
      path: "/refunds",
      id: "createRefund",
      summary: "Give money back, never more than what is left",
      scopes: SCOPES,
      operation: createRefund,
      body: { ...createRefundBody, schema: createRefundBody.schema.meta({ id: "CreateRefund" }) },
      command: (ctx, body) => readRefundCommand(ctx, body),
      answers: { 201: { text: "The refund", schema: anyRefund } },
      errors: [
        "validation.amount",
        "payment.not_found",
        "payment.not_settled",
        "payment.not_refundable",
        "payment.declined",
        "refund.exceeds_remaining",
        "refund.only_once",
        ...PROVIDER_ERRORS,
      ],
    }),
    keyedRoute({
      method: "POST",
      path: "/payments/{id}/void",
      id: "voidPayment",
      summary: "Void a payment",
      scopes: SCOPES,
      params,
      absent: NO_PAYMENT,
      operation: voidPayment,
      body: { schema: voidBody },
      bodyOptional: true,
      command: (ctx, _body, { id }) => readVoidCommand(ctx, { paymentId: id }),
      answers: { 200: { text: "The voided payment", schema: anyPayment } },
      errors: [
        "payment.not_found",
        "payment.not_settled",
        "payment.not_voidable",
        "payment.declined",
        ...PROVIDER_ERRORS,
      ],
    }),
    ...READS,
  ];
}

const READS: readonly Route[] = [
  plainRoute({
    method: "GET",
    path: "/payments/{id}",
    id: "readPayment",
    summary: "A payment as it is now",
    scopes: SCOPES,
    params,
    absent: NO_PAYMENT,
    answers: { 200: { text: "The payment", schema: anyPayment } },
    errors: ["payment.not_found"],
    headers: readVersion,
    handle: async (ctx, { params: { id }, headers }) => ({
      body: viewIn(headers["API-Version"], await readPayment(ctx, id)),
    }),
  }),
  plainRoute({
    method: "GET",
    path: "/refunds/{id}",
    id: "readRefund",
    summary: "A refund as it is now",
    scopes: SCOPES,
    params,
    absent: { code: "refund.not_found", title: "There is no such refund" },
    answers: { 200: { text: "The refund", schema: anyRefund } },
    errors: ["refund.not_found"],
    headers: readVersion,
    handle: async (ctx, { params: { id }, headers }) => ({
      body: viewIn(headers["API-Version"], await readRefund(ctx, id)),
    }),
  }),
];
