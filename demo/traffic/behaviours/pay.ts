import type { OnceboardClient } from "@/client/index";
import { pickOne, remember, type TrafficActor } from "../actor";
import { drawAmount } from "../profile";
import { decimal, paymentCommand, paymentIdOf, sendCommand, type TrafficCommand, type PaymentFields } from "../wire";

export interface PlannedPayment {
  readonly command: TrafficCommand;
  readonly fields: PaymentFields;
  readonly order: number;
  readonly amountMinor: number;
}

/** @param minor amount in minor units; drawn from the client's profile if not given */
export function newPayment(actor: TrafficActor, minor?: number): PlannedPayment {
  const { profile, random } = actor;
  const order = actor.nextOrder();
  const amountMinor = minor ?? drawAmount(profile, random);
  const fields = {
    accountId: pickOne(profile.accounts, random) ?? "acc_northgate_04",
    amount: decimal(amountMinor),
    currency: profile.currency,
    merchantReference: profile.reference(order),
    channel: profile.channel,
  };
  return { command: paymentCommand(profile, profile.key(order, random), fields), fields, order, amountMinor };
}

/** Most of the traffic: one payment, retried as the contract says when its answer is lost. */
export async function pay(actor: TrafficActor): Promise<void> {
  await payAndRemember(actor, newPayment(actor), actor.client);
}

/** Sends the payment and remembers it when it succeeded. */
export async function payAndRemember(
  actor: TrafficActor,
  payment: PlannedPayment,
  client: OnceboardClient,
): Promise<void> {
  const answer = await sendCommand(client, payment.command);
  const paymentId = paymentIdOf(answer.body);
  if (paymentId === undefined) return;
  remember(actor, { ...payment, paymentId, leftMinor: payment.amountMinor });
}

const DECLINED_CENTS = 51;

/** A card without funds: the sandbox declines what ends in .51, and the refusal is the answer. */
export async function decline(actor: TrafficActor): Promise<void> {
  const minor = drawAmount(actor.profile, actor.random);
  await payAndRemember(actor, newPayment(actor, minor - (minor % 100) + DECLINED_CENTS), actor.client);
}
