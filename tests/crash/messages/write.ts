import type { Wish } from "../child/protocol";
import type { CrashSession } from "../session";
import { ask, type CrashCaller } from "../caller";

/** Who does it, for which tenant. */
export interface WriteTarget {
  readonly session: Pick<CrashSession, "place" | "rescuer">;
  readonly tenant: string;
}

export interface Wanted {
  readonly payments: number;
  readonly refunds: number;
  readonly accounts: number;
}

const AMOUNT = "5000";
const REFUND = "300";

/** Does what events tell of: accounts, payments, and refunds of them, by a process that is not hit. */
export async function writeHistory(
  run: WriteTarget,
  { payments, refunds, accounts }: Wanted,
  name: "before" | "tail" = "before",
): Promise<void> {
  const { tenant } = run;
  const key = (kind: string, ...numbers: readonly number[]): string => [tenant, name, kind, ...numbers].join("-");
  for (let account = 0; account < accounts; account += 1) {
    // Whoever has an address gets receipts.
    const accountId = key("account", account);
    const fields = { accountId, currency: "EUR", email: `${accountId}@example.com` };
    await done(run, { operation: "account", key: accountId, fields }, name);
  }
  for (let payment = 0; payment < payments; payment += 1) {
    const fields = { accountId: key("account", 0), amountMinor: AMOUNT };
    const paid = await done(run, { operation: "payment", key: key("payment", payment), fields }, name);
    for (let refund = 0; refund < refunds; refund += 1) {
      const wish: Wish = {
        operation: "refund",
        key: key("refund", payment, refund),
        fields: { paymentId: paid, amountMinor: REFUND },
      };
      await done(run, wish, name);
    }
  }
}

async function done({ session, tenant }: WriteTarget, wish: Wish, phase: "before" | "tail"): Promise<string> {
  const caller: CrashCaller = { name: wish.key, intent: wish.key, retries: true, result: undefined, wish };
  const told = await ask(session.place, tenant, session.rescuer, caller, phase);
  if (told.outcome !== "executed") throw new Error(`${wish.key} was ${told.outcome} ${told.code ?? ""}`);
  return told.resourceId ?? "";
}
