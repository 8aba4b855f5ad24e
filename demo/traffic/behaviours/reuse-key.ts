import { setTimeout as wait } from "node:timers/promises";
import { pickOne, recall, type TrafficActor } from "../actor";
import type { ReuseKind } from "../profile";
import { decimal, paymentCommand, refundCommand, sendCommand, type TrafficCommand, type PaymentFields } from "../wire";
import { newPayment, payAndRemember } from "./pay";

const MAX_PAUSE_MS = 8_000;

/** A client that takes its cart id for a key: the cart changes, the key does not. Must be refused. */
export async function reuseKey(actor: TrafficActor): Promise<void> {
  const kind = pickOne(actor.profile.reuse, actor.random) ?? "other-amount";
  const second = kind === "ten-times-minor" ? await refundOnce(actor) : await payOnce(actor, kind);
  if (!second) return;
  await wait(actor.random() * MAX_PAUSE_MS, undefined, { signal: actor.signal });
  // The second try gets a second refusal: such clients retry their conflicts.
  if (actor.random() < 0.4) await sendCommand(actor.blunt, second).catch(() => undefined);
  await sendCommand(actor.blunt, second);
}

async function payOnce(actor: TrafficActor, kind: ReuseKind): Promise<TrafficCommand> {
  const payment = newPayment(actor);
  await payAndRemember(actor, payment, actor.client);
  return paymentCommand(actor.profile, payment.command.key, changed(payment.fields, payment.amountMinor, kind, actor));
}

function changed(fields: PaymentFields, minor: number, kind: ReuseKind, actor: TrafficActor): PaymentFields {
  switch (kind) {
    case "ten-times":
    case "ten-times-minor":
      return { ...fields, amount: decimal(minor * 10) };
    case "other-amount":
      return { ...fields, amount: decimal(minor + 100 + Math.floor(actor.random() * 2_000)) };
    case "reference":
      return { ...fields, merchantReference: actor.profile.reference(actor.nextOrder()) };
    case "currency":
      return { ...fields, currency: fields.currency === "EUR" ? "USD" : "EUR" };
  }
}

/** Minor units multiplied once more on the retry path, the reason left out: the classic. */
async function refundOnce(actor: TrafficActor): Promise<TrafficCommand | undefined> {
  const payment = recall(actor, (known) => known.leftMinor >= 200);
  if (!payment) return await payOnce(actor, "ten-times");
  const amountMinor = Math.floor(payment.leftMinor / 2);
  payment.leftMinor -= amountMinor;
  const key = actor.profile.refundKey(actor.nextOrder(), new Date().toISOString().slice(0, 10));
  const { paymentId } = payment;
  await sendCommand(
    actor.client,
    refundCommand(actor.profile, key, { paymentId, amount: decimal(amountMinor), reason: "customer_request" }),
  );
  return refundCommand(actor.profile, key, { amount: amountMinor * 10, paymentId });
}
