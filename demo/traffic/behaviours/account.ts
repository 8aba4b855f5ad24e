import type { TrafficActor } from "../actor";

/** A seller is taken on: the local path, one transaction. */
export async function openAccount(actor: TrafficActor): Promise<void> {
  const accountId = `acc_seller_${String(actor.nextOrder())}`;
  await actor.client.accounts.create(
    { accountId, currency: actor.profile.currency, email: `${accountId}@sellers.example` },
    { key: `acc-open-${accountId.slice(4)}` },
  );
}

/** The accounts a client works with exist before its first payment; on a restart these are replays. */
export async function openOwnAccounts(actor: TrafficActor): Promise<void> {
  for (const accountId of actor.profile.accounts) {
    const key = `acc-open-${accountId.slice(4)}`;
    // An account that exists, or a key whose window is over, is as good as a new one.
    await actor.client.accounts
      .create({ accountId, currency: actor.profile.currency, email: `${accountId}@customers.example` }, { key })
      .catch(() => undefined);
  }
}
