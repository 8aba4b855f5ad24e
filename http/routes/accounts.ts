import type { Hono } from "hono";
import { z } from "zod";
import { AppError } from "@/domain/errors";
import { accountBody, defaultCurrencyBody } from "@/payments/commands";
import { readAccount } from "@/payments/read";
import { setDefaultCurrency } from "@/payments/set-default-currency";
import { readJson } from "../body/read-json";
import { validate } from "../body/validate";
import { accountAnswer } from "../docs/schemas";
import type { ApiEnv } from "../env";
import { jsonAnswer } from "../profiles/plain";
import type { Services } from "../services";
import { declareCall, declareKeyed } from "./keyed";

const ACCOUNT_ID = /^[\x21-\x7e]{1,128}$/;
const params = { id: z.string().regex(ACCOUNT_ID) };

export function registerAccounts(app: Hono<ApiEnv>, services: Services): void {
  declareKeyed(app, services, "POST /api/v1/accounts", {
    id: "createAccount",
    summary: "Open an account",
    description: "The local path: key, account, event and answer are one transaction.",
    access: "accounts.write",
    definition: services.deps.operations.createAccount,
    body: { schema: accountBody.meta({ id: "CreateAccount" }) },
    command: (_ctx, body) => body,
    answers: { 201: { text: "The account", schema: accountAnswer } },
    errors: ["account.exists"],
  });
  const account = {
    id: "readAccount",
    summary: "An account and its ETag",
    access: "accounts.read",
    params,
    answers: { 200: { text: "The account", schema: accountAnswer, headers: ["ETag"] } },
    errors: ["account.not_found"],
  } as const;
  declareCall(app, services, "GET /api/v1/accounts/:id", account, async (c, ctx) => {
    const { view, etag } = await readAccount(ctx, idOf(c.req.param("id")));
    return jsonAnswer(c, view, { headers: { etag } });
  });
  const setting = {
    id: "setDefaultCurrency",
    summary: "Set an account's default currency",
    description: "Naturally idempotent, so no key is needed; If-Match guards against a lost update.",
    access: "accounts.write",
    params,
    headers: { "If-Match": z.string().optional().describe("The ETag that was read; `*` or none for any version") },
    body: defaultCurrencyBody.meta({ id: "DefaultCurrency" }),
    answers: { 200: { text: "The account with its new ETag", schema: accountAnswer, headers: ["ETag"] } },
    errors: ["account.not_found", "precondition.failed"],
  } as const;
  // The same PUT twice leaves the same account, so no key is needed.
  declareCall(app, services, "PUT /api/v1/accounts/:id/settings/default-currency", setting, async (c, ctx) => {
    const { currency } = validate(setting.body, await readJson(c.req.raw));
    const input = { accountId: idOf(c.req.param("id")), currency, ifMatch: c.req.header("if-match") };
    const { view, etag } = await setDefaultCurrency(ctx, input);
    return jsonAnswer(c, view, { headers: { etag } });
  });
}

function idOf(text: string | undefined): string {
  if (text !== undefined && ACCOUNT_ID.test(text)) return text;
  throw new AppError("account.not_found", 404, "There is no such account");
}
