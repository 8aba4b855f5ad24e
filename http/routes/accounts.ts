import type { Hono } from "hono";
import { AppError } from "@/domain/errors";
import { accountBody, defaultCurrencyBody } from "@/payments/commands";
import { readAccount } from "@/payments/read";
import { setDefaultCurrency } from "@/payments/set-default-currency";
import { readJson } from "../body/read-json";
import { validate } from "../body/validate";
import type { ApiEnv } from "../env";
import { requireClient } from "../guard/client";
import { actorOf, contextOf } from "../guard/request-context";
import { jsonAnswer } from "../profiles/plain";
import type { Services } from "../services";
import { keyedHandler } from "./keyed";

const ACCOUNT_ID = /^[\x21-\x7e]{1,128}$/;

export function registerAccounts(app: Hono<ApiEnv>, services: Services): void {
  app.post(
    "/api/v1/accounts",
    keyedHandler(services, {
      action: "accounts.write",
      definition: services.deps.operations.createAccount,
      body: { schema: accountBody },
      command: (_ctx, body) => body,
    }),
  );
  app.get("/api/v1/accounts/:id", async (c) => {
    const client = await requireClient(c, "accounts.read");
    services.limiters.calls.take(client.keyId);
    const ctx = contextOf(c, client.tenantId, actorOf(client));
    const { view, etag } = await readAccount(ctx, idOf(c.req.param("id")));
    return jsonAnswer(c, view, { headers: { etag } });
  });
  // Naturally idempotent: the same PUT twice leaves the same account, so no key is asked for.
  app.put("/api/v1/accounts/:id/settings/default-currency", async (c) => {
    const client = await requireClient(c, "accounts.write");
    services.limiters.calls.take(client.keyId);
    const body = validate(defaultCurrencyBody, await readJson(c.req.raw));
    const ctx = contextOf(c, client.tenantId, actorOf(client));
    const input = { accountId: idOf(c.req.param("id")), currency: body.currency, ifMatch: c.req.header("if-match") };
    const { view, etag } = await setDefaultCurrency(ctx, input);
    return jsonAnswer(c, view, { headers: { etag } });
  });
}

function idOf(text: string): string {
  if (ACCOUNT_ID.test(text)) return text;
  throw new AppError("account.not_found", 404, "There is no such account");
}
