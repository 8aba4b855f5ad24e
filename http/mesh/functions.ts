import { z } from "zod";
import type { ApiClient } from "@/auth/api-keys/api-keys";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import type { EngineContext } from "@/engine/context";
import type { MeshFunctionName } from "@/engine/execute/operation";
import { createPaymentBody, createRefundBody } from "@/payments/commands";
import { readRefundCommand } from "@/payments/create-refund";
import type { Operations } from "@/payments/operations";
import { readVoidCommand } from "@/payments/void-payment";
import type { ParsedJson } from "../body/parse-json";
import { runKeyed, type KeyedCommand, type KeyedRequest } from "../routes/keyed";
import type { Services } from "../services";

/** One function of the mesh: the same operation as its HTTP route, under another name. */
export interface MeshFunction extends MeshFunctionName {
  /**
   * @param args the call's arguments, as if they had been a body
   * @throws AppError for what is malformed or refers to nothing; nothing is recorded then
   */
  run(ctx: EngineContext, client: ApiClient, args: ParsedJson, request: KeyedRequest): Promise<ExecuteAnswer>;
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

/** @returns what may be called; a record's scope is function and version because each has an operation of its own. */
export function meshFunctions(services: Services): readonly MeshFunction[] {
  const { createPayment, createRefund, voidPayment }: Operations = services.deps.operations;
  return [
    meshFunction(services, {
      definition: createPayment,
      body: createPaymentBody,
      arguments: (args) => renamed(args, "customer_id", "accountId"),
      command: (_ctx, body) => body,
    }),
    meshFunction(services, {
      definition: createRefund,
      body: createRefundBody,
      command: (ctx, body) => readRefundCommand(ctx, body),
    }),
    meshFunction(services, {
      definition: voidPayment,
      body: { schema: voidArguments },
      command: (ctx, body) => readVoidCommand(ctx, body),
    }),
  ];
}

interface FunctionParts<B, C> extends KeyedCommand<B, C> {
  readonly definition: KeyedCommand<B, C>["definition"] & { readonly meshFunction: MeshFunctionName };
  /** Turns the mesh's arguments into the body, where they differ. */
  readonly arguments?: (args: ParsedJson) => ParsedJson;
}

function meshFunction<B, C>(services: Services, parts: FunctionParts<B, C>): MeshFunction {
  return {
    ...parts.definition.meshFunction,
    async run(ctx, client, args, request) {
      const input = { json: parts.arguments?.(args) ?? args, written: args };
      return (await runKeyed(services, ctx, client, parts, input, request)).answer;
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
