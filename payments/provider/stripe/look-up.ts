import type { Stripe } from "stripe";
import { foundObject, type ReadBody } from "../classify";
import type { ProviderLookUp, ProviderQuestion } from "../port";
import { keyOf, KEY_FIELD, readIntent, readStripeRefund } from "./objects";

/** The most that one call takes; a page. */
const PAGE = 100;
/** Objects under one key that are as good as any number of them. */
const CONTRADICTION = 2;
/** Pages read before a look-up says that it cannot know. */
export const LIST_PAGES = 20;
/** Our database and Stripe may differ by this much about when something was made. */
const CLOCK_MARGIN_MS = 5 * 60_000;

/** Gives the options of the next call, with what is left of the whole time. @throws TooLateError */
export type NextCall = () => Stripe.RequestOptions;
export class TooLateError extends Error {}

/** Everything that carries our key; `undefined` when it was too much to be read to its end. */
type Matches = readonly unknown[] | undefined;

/**
 * Asks Stripe what became of a request. `absent` rests on the list alone: Stripe's search finds an object by metadata in one
 * call, but only up to a minute (in an outage an hour) after it was made, while a list shows it at once.
 *
 * @throws whatever the SDK throws, TooLateError
 */
export async function lookUpAtStripe(
  stripe: Stripe,
  question: ProviderQuestion,
  next: NextCall,
): Promise<ProviderLookUp> {
  const { effect, request } = question;
  const charge = effect === "charge";
  const matches = charge ? await findIntents(stripe, question, next) : await findRefunds(stripe, question, next);
  if (matches === undefined) {
    const reason = `not found by search, and more than ${String(LIST_PAGES * PAGE)} objects to look through`;
    return { kind: "unreachable", reason };
  }
  return conclude(matches, request.providerKey, charge ? readIntent : readStripeRefund);
}

function conclude(matches: readonly unknown[], providerKey: string, read: ReadBody): ProviderLookUp {
  const [first, second] = matches;
  if (first === undefined) return { kind: "absent" };
  const object = read(first);
  if (object?.providerKey !== providerKey) return { kind: "unreachable", reason: "the answer is not readable" };
  if (second !== undefined) {
    const reason = `the provider has ${String(matches.length)} objects under this key`;
    return { kind: "contradicting", reference: object.reference, reason };
  }
  return foundObject(object);
}

async function findIntents(stripe: Stripe, { request, since }: ProviderQuestion, next: NextCall): Promise<Matches> {
  const { providerKey } = request;
  const gte = Math.floor((since.getTime() - CLOCK_MARGIN_MS) / 1_000);
  const found: Stripe.PaymentIntent[] = [];
  // Read again by id: what search shows may be as old as its index.
  for (const id of await searchIntents(stripe, providerKey, next))
    found.push(await stripe.paymentIntents.retrieve(id, undefined, next()));
  if (found.some(({ created }) => created >= gte)) return found;
  const listed = await walk(providerKey, (after) =>
    stripe.paymentIntents.list({ created: { gte }, limit: PAGE, ...after }, next()),
  );
  // One from before this request, whose key Stripe has forgotten since, must not stand for what was made of it now.
  return listed && [...found, ...listed];
}

/** A shortcut only: where search is away, or does not exist (it does not in every country), the list decides alone. */
async function searchIntents(stripe: Stripe, providerKey: string, next: NextCall): Promise<string[]> {
  try {
    const query = `metadata["${KEY_FIELD}"]:"${providerKey.replaceAll(/["\\]/g, "\\$&")}"`;
    const { data } = await stripe.paymentIntents.search({ query, limit: CONTRADICTION }, next());
    return data.filter((intent) => keyOf(intent) === providerKey).map(({ id }) => id);
  } catch (error) {
    if (error instanceof TooLateError) throw error;
    return [];
  }
}

/** Refunds have no search and need none: those of one charge are few. */
async function findRefunds(stripe: Stripe, { request }: ProviderQuestion, next: NextCall): Promise<Matches> {
  const of = chargeFilter(request.chargeReference);
  if (of === undefined) return undefined;
  return walk(request.providerKey, (after) => stripe.refunds.list({ ...of, limit: PAGE, ...after }, next()));
}

/** @returns how a list or a refund names the charge; undefined when the reference is none of Stripe's. */
export function chargeFilter(
  reference: string | undefined,
): { readonly payment_intent: string } | { readonly charge: string } | undefined {
  if (reference?.startsWith("pi_") === true) return { payment_intent: reference };
  return reference?.startsWith("ch_") === true || reference?.startsWith("py_") === true
    ? { charge: reference }
    : undefined;
}

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly has_more: boolean;
}

async function walk(
  providerKey: string,
  read: (after: { readonly starting_after?: string }) => Promise<Page>,
): Promise<Matches> {
  const matches: unknown[] = [];
  let after: { readonly starting_after?: string } = {};
  for (let page = 0; page < LIST_PAGES; page += 1) {
    const { data, has_more: more } = await read(after);
    matches.push(...data.filter((object) => keyOf(object) === providerKey));
    const last = data.at(-1);
    if (!more || last === undefined) return matches;
    after = { starting_after: last.id };
  }
  return matches.length > 0 ? matches : undefined;
}
