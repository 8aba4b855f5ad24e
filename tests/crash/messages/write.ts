import type { Wish } from "../child/protocol";
import type { CrashSession } from "../session";
import { ask, newCaller } from "../caller";

interface WriteTarget {
  readonly session: Pick<CrashSession, "place" | "rescuer">;
  readonly tenant: string;
}

interface Wanted {
  readonly payments: number;
  readonly refunds: number;
  readonly accounts: number;
}

const AMOUNT = "5000";
const REFUND = "300";

/** Makes accounts, payments, and refunds of them, by a process that is not hit: each leaves its events. */
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
    await mustDo(run, { operation: "account", key: accountId, fields }, name);
  }
  for (let payment = 0; payment < payments; payment += 1) {
    const fields = { accountId: key("account", 0), amountMinor: AMOUNT };
    const paid = await mustDo(run, { operation: "payment", key: key("payment", payment), fields }, name);
    for (let refund = 0; refund < refunds; refund += 1) {
      const wish: Wish = {
        operation: "refund",
        key: key("refund", payment, refund),
        fields: { paymentId: paid, amountMinor: REFUND },
      };
      await mustDo(run, wish, name);
    }
  }
}

/** A machine without time refuses before anything happened, and a client asks again. */
const MAX_ASKS = 5;

/** @returns the id of what was made @throws Error when it was not executed */
export async function mustDo({ session, tenant }: WriteTarget, wish: Wish, phase: "before" | "tail"): Promise<string> {
  const caller = newCaller(wish);
  let result = await ask(session.place, tenant, session.rescuer, caller, phase);
  for (let asked = 1; asked < MAX_ASKS && result.code?.startsWith("dependency.") === true; asked += 1)
    result = await ask(session.place, tenant, session.rescuer, caller, phase);
  if (result.outcome !== "executed") throw new Error(`${wish.key} was ${result.outcome} ${result.code ?? ""}`);
  return result.resourceId ?? "";
}
