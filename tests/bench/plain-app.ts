import { Hono } from "hono";
import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "@/db/client";
import { insertOutboxMessage } from "@/db/outbox/insert-outbox-message";
import { insertAccount } from "@/payments/db/accounts";
import { insertPayment, settlePayment } from "@/payments/db/payments";
import { inTransaction } from "@/db/transaction";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "@/engine/context";
import { outboxMessage, type DomainEvent } from "@/engine/outbox/publish";
import { readJson } from "@/http/body/read-json";
import { validate } from "@/http/body/validate";
import type { ApiEnv, Container } from "@/http/env";
import { requireClient } from "@/http/guard/client";
import { actorOf, contextOf } from "@/http/guard/request-context";
import { renderError } from "@/http/profiles/render-error";
import { jsonAnswer } from "@/http/profiles/plain";
import { accountBody, paymentBody, type CreatePaymentCommand } from "@/payments/commands";
import type { PaymentProvider } from "@/payments/provider/port";
import { accountView, paymentView } from "@/payments/views";

/**
 * The same two routes as somebody would write them who has never heard of retries: same guard, parsing and validation,
 * same business rows and outbox rows, no key, no claim, no stored answer, no events. What idempotency costs is the
 * difference.
 */
export function createPlainApp(deps: Container, provider: PaymentProvider): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.use(async (c, next) => {
    c.set("deps", deps);
    c.set("requestId", uuidv7());
    c.set("receivedAt", performance.now());
    await next();
  });
  app.onError((error, c) => renderError(error, c));
  app.post("/api/v1/accounts", async (c) => {
    const client = await requireClient(c, ["accounts"]);
    const command = validate(accountBody, await readJson(c.req.raw));
    const ctx = contextOf(c, client.tenantId, actorOf(client));
    const operationId = uuidv7();
    const view = await inTransaction(ctx.db, async (tx) => {
      const { accountId: id, currency, email } = command;
      const emailSealed = email === undefined ? undefined : Buffer.from(email);
      const account = await insertAccount(tx, { tenantId: ctx.tenantId, id, operationId, currency, emailSealed });
      if (account === undefined) throw new AppError("account.exists", 409, "This account exists already");
      const made = accountView(account);
      await publish(ctx, tx, {
        type: "account.opened",
        topic: "accounts",
        operationId,
        aggregate: { type: "account", id: account.id },
        data: made,
      });
      return made;
    });
    return jsonAnswer(c, view, { status: 201 });
  });
  app.post("/api/v1/payments", async (c) => {
    const client = await requireClient(c, ["payments"]);
    const command = validate(paymentBody, await readJson(c.req.raw));
    const ctx = contextOf(c, client.tenantId, actorOf(client));
    return jsonAnswer(c, await pay(ctx, provider, command), { status: 201 });
  });
  return app;
}

async function publish(ctx: EngineContext, tx: Queryable, event: DomainEvent): Promise<void> {
  await insertOutboxMessage(tx, {
    ...outboxMessage(ctx, event),
    tenantId: ctx.tenantId,
    operationId: event.operationId,
  });
}

async function pay(
  ctx: EngineContext,
  provider: PaymentProvider,
  command: CreatePaymentCommand,
): Promise<Readonly<Record<string, unknown>>> {
  const operationId = uuidv7();
  const id = uuidv7();
  const providerKey = `plain_${id}`;
  const { tenantId } = ctx;
  const { accountId, amountMinor, currency, merchantReference = null } = command;
  await insertPayment(ctx.db.pool, { ...command, tenantId, id, operationId, merchantReference, providerKey });
  const charged = await provider.charge(
    { providerKey, amountMinor, currency, accountId, metadata: {} },
    { timeoutMs: ctx.config.providerTimeoutMs },
  );
  if (charged.kind !== "succeeded")
    throw new AppError("dependency.unavailable", 503, "The provider did not answer as expected");
  return inTransaction(ctx.db, async (tx) => {
    const payment = await settlePayment(tx, ctx.tenantId, operationId, "succeeded", charged.reference);
    const view = paymentView(payment);
    await publish(ctx, tx, {
      type: "payment.succeeded",
      topic: "payments",
      operationId,
      aggregate: { type: "payment", id: payment.id },
      data: view,
    });
    return view;
  });
}
