import { recall, type TrafficActor } from "../actor";
import { paymentCommand, sendCommand } from "../wire";
import { newPayment, pay, payAndRemember } from "./pay";

/** The button is clicked twice: two requests of one key at the same time. */
export async function doubleClick(actor: TrafficActor): Promise<void> {
  const payment = newPayment(actor);
  const results = await Promise.allSettled([
    payAndRemember(actor, payment, actor.client),
    sendCommand(actor.client, payment.command),
  ]);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

/** A client that does not remember its answer asks again minutes later, sometimes in another notation of the same amount. */
export async function lateRetry(actor: TrafficActor): Promise<void> {
  const payment = recall(actor);
  if (!payment) return pay(actor);
  const { command, fields } = payment;
  const minorUnits = Math.round(Number(fields.amount) * 100);
  const sameInMinorUnits = actor.profile.wire === "http" && actor.random() < 0.3;
  await sendCommand(actor.client, sameInMinorUnits ? { ...command, body: { ...fields, amount: minorUnits } } : command);
}

/** A client that lost its key makes a new one for the same act: the merchant reference must catch it. */
export async function freshKey(actor: TrafficActor): Promise<void> {
  const payment = recall(actor);
  if (!payment) return pay(actor);
  const key = `${payment.command.key}-again-${String(actor.nextOrder())}`;
  await sendCommand(actor.client, paymentCommand(actor.profile, key, payment.fields));
}

/** A client in a hurry gives up on each answer after a blink and meets its own first request. */
export async function hurry(actor: TrafficActor): Promise<void> {
  await payAndRemember(actor, newPayment(actor), actor.hasty);
}
