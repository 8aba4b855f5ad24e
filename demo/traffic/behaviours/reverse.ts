import { recall, type TrafficActor } from "../actor";
import { decimal, refundCommand, sendCommand, voidCommand } from "../wire";
import { pay } from "./pay";

const REASONS = ["customer_request", "damaged", "late_delivery"] as const;

/** Gives part or all of an earlier payment back. */
export async function refund(actor: TrafficActor): Promise<void> {
  const payment = recall(actor, (known) => known.leftMinor > 0);
  if (!payment) return pay(actor);
  const whole = actor.random() < 0.4 || payment.leftMinor < 500;
  const amountMinor = whole ? payment.leftMinor : Math.max(100, Math.floor(payment.leftMinor * actor.random()));
  // Taken off before the answer: two refunds at once must not ask for more than there is.
  payment.leftMinor -= amountMinor;
  const today = new Date().toISOString().slice(0, 10);
  const reason = REASONS[Math.floor(actor.random() * REASONS.length)] ?? REASONS[0];
  const key = actor.profile.refundKey(actor.nextOrder(), today);
  await sendCommand(
    actor.client,
    refundCommand(actor.profile, key, { paymentId: payment.paymentId, amount: decimal(amountMinor), reason }),
  );
}

/** Takes an earlier payment back as a whole. */
export async function voidEarlier(actor: TrafficActor): Promise<void> {
  const payment = recall(
    actor,
    (known) => known.leftMinor > 0 && String(known.fields.amount) === decimal(known.leftMinor),
  );
  if (!payment) return pay(actor);
  payment.leftMinor = 0;
  await sendCommand(actor.client, voidCommand(actor.profile, `${payment.command.key}-void`, payment.paymentId));
}
