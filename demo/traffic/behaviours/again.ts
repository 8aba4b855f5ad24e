import { recall, type Actor } from "../actor";
import { paymentCommand, send } from "../wire";
import { newPayment, pay, settle } from "./pay";

/** The button is clicked twice: two requests of one key at the same time. */
export async function doubleClick(actor: Actor): Promise<void> {
  const payment = newPayment(actor);
  const results = await Promise.allSettled([settle(actor, payment, actor.client), send(actor.client, payment.command)]);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

/** A client that does not remember its answer asks again minutes later, sometimes in another notation of the same amount. */
export async function lateRetry(actor: Actor): Promise<void> {
  const payment = recall(actor);
  if (!payment) {
    await pay(actor);
    return;
  }
  const { command, fields } = payment;
  const minorUnits = Math.round(Number(fields.amount) * 100);
  const sameInMinorUnits = actor.profile.wire === "http" && actor.random() < 0.3;
  await send(actor.client, sameInMinorUnits ? { ...command, body: { ...fields, amount: minorUnits } } : command);
}

/** A client that lost its key makes a new one for the same act: the merchant reference must catch it. */
export async function newKey(actor: Actor): Promise<void> {
  const payment = recall(actor);
  if (!payment) {
    await pay(actor);
    return;
  }
  const key = `${payment.command.key}-again-${String(actor.nextOrder())}`;
  await send(actor.client, paymentCommand(actor.profile, key, payment.fields));
}

/** A client in a hurry gives up on each answer after a blink and meets its own first request. */
export async function hurry(actor: Actor): Promise<void> {
  await settle(actor, newPayment(actor), actor.hasty);
}
