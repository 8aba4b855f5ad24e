import { z } from "zod";
import { keyedRoute, plainRoute, type Route } from "@/engine/index";
import { accountBody, defaultCurrencyBody } from "../commands";
import type { Operations } from "../operations";
import { readAccount } from "../read";
import { setDefaultCurrency } from "../set-default-currency";
import { accountAnswer } from "./answers";

const SCOPES = ["accounts", "payments"] as const;
const params = { id: z.string().regex(/^[\x21-\x7e]{1,128}$/) };
const NO_ACCOUNT = { code: "account.not_found", title: "There is no such account" };

export function accountRoutes({ createAccount }: Pick<Operations, "createAccount">): readonly Route[] {
  return [
    keyedRoute({
      method: "POST",
      path: "/accounts",
      id: "createAccount",
      summary: "Open an account",
      description: "The local path: key, account, event and answer are one transaction.",
      scopes: SCOPES,
      operation: createAccount,
      body: { schema: accountBody.meta({ id: "CreateAccount" }) },
      command: (_ctx, body) => body,
      answers: { 201: { text: "The account", schema: accountAnswer } },
      errors: ["account.exists"],
    }),
    plainRoute({
      method: "GET",
      path: "/accounts/{id}",
      id: "readAccount",
      summary: "An account and its ETag",
      scopes: SCOPES,
      params,
      absent: NO_ACCOUNT,
      answers: { 200: { text: "The account", schema: accountAnswer, headers: ["ETag"] } },
      errors: ["account.not_found"],
      async handle(ctx, { params: { id } }) {
        const { view, etag } = await readAccount(ctx, id);
        return { body: view, headers: { etag } };
      },
    }),
    // The same PUT twice leaves the same account, so no key is needed.
    plainRoute({
      method: "PUT",
      path: "/accounts/{id}/settings/default-currency",
      id: "setDefaultCurrency",
      summary: "Set an account's default currency",
      description: "Naturally idempotent, so no key is needed; If-Match guards against a lost update.",
      scopes: SCOPES,
      params,
      absent: NO_ACCOUNT,
      headers: { "If-Match": z.string().optional().describe("The ETag that was read; `*` or none for any version") },
      body: defaultCurrencyBody.meta({ id: "DefaultCurrency" }),
      answers: { 200: { text: "The account with its new ETag", schema: accountAnswer, headers: ["ETag"] } },
      errors: ["account.not_found", "precondition.failed"],
      async handle(ctx, { params: { id: accountId }, headers, body: { currency } }) {
        const { view, etag } = await setDefaultCurrency(ctx, { accountId, currency, ifMatch: headers["If-Match"] });
        return { body: view, headers: { etag } };
      },
    }),
  ];
}
