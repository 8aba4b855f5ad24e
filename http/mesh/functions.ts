import { z } from "zod";
import type { ApiClient } from "@/auth/api-keys";
import type { OperationPolicy } from "@/domain/policy";
import type { Answer } from "@/engine/answer";
import type { EngineContext } from "@/engine/context";
import type { ExecuteRequest } from "@/engine/execute-request";
import type { OperationDefinition } from "@/engine/operation";
import { paymentBody, refundBody } from "@/payments/commands";
import { readRefundCommand } from "@/payments/create-refund";
import type { Operations } from "@/payments/operations";
import { readVoidCommand } from "@/payments/void-payment";
import type { ParsedJson } from "../body/parse-json";
import { validate } from "../body/validate";
import { runKeyed } from "../routes/keyed";
import type { Services } from "../services";

/** One function of the mesh: the same operation as its HTTP route, under another name (S0.8). */
export interface MeshFunction {
  readonly name: string;
  readonly version: string;
  /**
   * @param args the call's arguments, as if they had been a body
   * @throws AppError for what is malformed or refers to nothing; nothing is recorded then
   */
  run(
    ctx: EngineContext,
    client: ApiClient,
    args: ParsedJson,
    request: Omit<ExecuteRequest<unknown>, "command">,
  ): Promise<Answer>;
}

/** `{paymentId}`; `charge_id`, as results name it, is the same. */
export const voidArguments = z
  .strictObject({ paymentId: z.uuid().optional(), charge_id: z.uuid().optional() })
  .transform((body, context): { readonly paymentId: string } => {
    const paymentId = body.paymentId ?? body.charge_id;
    if (paymentId === undefined || (body.paymentId !== undefined && body.charge_id !== undefined)) {
      context.addIssue({ code: "custom", path: ["paymentId"], message: "name the payment once, as paymentId" });
      return z.NEVER;
    }
    return { paymentId: paymentId.toLowerCase() };
  });

/** @returns what may be called; a record's scope is function and version because each has an operation of its own (S0.3). */
export function meshFunctions(services: Services): readonly MeshFunction[] {
  const { createPayment, createRefund, voidPayment }: Operations = services.deps.operations;
  return [
    meshFunction(services, "payments.charge", createPayment, (_ctx, args, policy) =>
      validate(paymentBody, renamed(args, "customer_id", "accountId"), policy),
    ),
    meshFunction(services, "payments.refund", createRefund, (ctx, args, policy) =>
      readRefundCommand(ctx, validate(refundBody, args, policy)),
    ),
    meshFunction(services, "payments.void", voidPayment, (ctx, args, policy) =>
      readVoidCommand(ctx, validate(voidArguments, args, policy)),
    ),
  ];
}

function meshFunction<C>(
  services: Services,
  name: string,
  definition: OperationDefinition<C>,
  command: (ctx: EngineContext, args: ParsedJson, policy: OperationPolicy) => C | Promise<C>,
): MeshFunction {
  return {
    name,
    version: "1",
    async run(ctx, client, args, request) {
      const policy = await ctx.policies.of(ctx.tenantId, definition);
      return runKeyed(services, ctx, client, definition, { ...request, command: await command(ctx, args, policy) });
    },
  };
}

/** The mesh calls it `customer_id`. Both names at once stay as they are, and the contract refuses the one it does not know. */
function renamed(args: ParsedJson, from: string, to: string): ParsedJson {
  const value = { ...(args.value as Readonly<Record<string, unknown>>) };
  if (!(from in value) || to in value) return args;
  const { [from]: moved, ...rest } = value;
  return { ...args, value: { ...rest, [to]: moved } };
}
