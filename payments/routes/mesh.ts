import { z } from "zod";
import { meshFunction, type MeshPart } from "@/engine/index";
import { createPaymentBody, createRefundBody } from "../commands";
import { readRefundCommand } from "../create-refund";
import type { Operations } from "../operations";
import { readVoidCommand } from "../void-payment";
import { PROVIDER_ERRORS } from "./errors";

const SCOPES = ["payments"] as const;

/** `{paymentId}`; `charge_id`, as results name it, is the same. */
const voidArguments = z
  .strictObject({ paymentId: z.uuid().optional(), charge_id: z.uuid().optional() })
  .transform((body, context): { readonly paymentId: string } => {
    const paymentId = body.paymentId ?? body.charge_id;
    if (paymentId === undefined || (body.paymentId !== undefined && body.charge_id !== undefined)) {
      context.addIssue({ code: "custom", path: ["paymentId"], message: "name the payment once, as paymentId" });
      return z.NEVER;
    }
    return { paymentId: paymentId.toLowerCase() };
  });

/** The same operations as the routes, under the names of the mesh. */
export function paymentMesh({ createPayment, createRefund, voidPayment }: Operations): MeshPart {
  return {
    functions: [
      meshFunction({
        ...createPayment.meshFunction,
        scopes: SCOPES,
        operation: createPayment,
        body: createPaymentBody,
        renames: { customer_id: "accountId" },
        command: (_ctx, body) => body,
      }),
      meshFunction({
        ...createRefund.meshFunction,
        scopes: SCOPES,
        operation: createRefund,
        body: createRefundBody,
        command: (ctx, body) => readRefundCommand(ctx, body),
      }),
      meshFunction({
        ...voidPayment.meshFunction,
        scopes: SCOPES,
        operation: voidPayment,
        body: { schema: voidArguments },
        command: (ctx, body) => readVoidCommand(ctx, body),
      }),
    ],
    description:
      "payments.charge, payments.refund and payments.void, version 1: the operations of POST /payments, /refunds and /payments/{id}/void under the same keys, so one key through both doors is one operation.",
    argumentsText:
      "payments.charge takes the members of CreatePayment (customer_id for accountId), payments.refund those of CreateRefund, payments.void a paymentId.",
    examples: [
      {
        function: createPayment.meshFunction.name,
        version: createPayment.meshFunction.version,
        arguments: { amount: 100, currency: "USD", customer_id: "cust_123" },
      },
    ],
    errors: [
      "validation.amount",
      "payment.not_found",
      "payment.not_settled",
      "payment.insufficient_funds",
      "payment.declined",
      "payment.duplicate_reference",
      "payment.not_refundable",
      "payment.not_voidable",
      "refund.exceeds_remaining",
      "refund.only_once",
      ...PROVIDER_ERRORS,
    ],
  };
}
