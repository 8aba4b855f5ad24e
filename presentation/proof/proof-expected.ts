import { CONSOLE_ACTIONS } from "@/domain/operation-label";
import type { ProofFacts, ProofMade } from "@/domain/checks/proof-facts";

/** What an operation of a kind leaves when it takes effect, and how that is said. */
export interface ExpectedEffects {
  readonly once: string;
  readonly none: string;
  readonly doubt: string;
  /** Of the provider's part: "The provider moved the money once." */
  readonly provider?: { readonly asked: string; readonly acted: string; readonly idle: string } | undefined;
  readonly row?: { readonly table: ProofMade["table"]; readonly label: string } | undefined;
  /** Type of its one event; `none`: it has none. Undefined: the operation is unknown here. */
  readonly event?: string | undefined;
  /** Type of its one ledger entry; `none`: no money is in it. */
  readonly entry?: string | undefined;
}

/** Instead of a type: there must be no such row. */
export const NONE = "none";

/** @param asked "move money" @param acted "moved it" @param idle "moved nothing" */
const provider = (asked: string, acted: string, idle: string): Pick<ExpectedEffects, "provider"> => ({
  provider: {
    asked: `The provider was asked to ${asked} under one key.`,
    acted: `The provider ${acted} once.`,
    idle: `The provider ${idle}.`,
  },
});
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** @param done "money moved" @param none "No money moved." */
const said = (done: string, none: string): Pick<ExpectedEffects, "once" | "none" | "doubt"> => ({
  once: `${capital(done)} once.`,
  none,
  doubt: `It is not known yet whether ${done}.`,
});
const ACTION: ExpectedEffects = {
  once: "The action ran once.",
  none: "The action did not run.",
  doubt: "The action has not ended yet.",
  event: NONE,
  entry: NONE,
};
const OTHER: ExpectedEffects = said("it ran", "It did not run.");

const KNOWN: Readonly<Record<string, ExpectedEffects>> = {
  "payments.create": {
    ...said("money moved", "No money moved."),
    ...provider("move money", "moved it", "moved nothing"),
    row: { table: "payments", label: "Payment" },
    event: "payment.succeeded",
    entry: "payment",
  },
  "refunds.create": {
    ...said("money was given back", "No money was given back."),
    ...provider("give money back", "gave it back", "gave nothing back"),
    row: { table: "refunds", label: "Refund" },
    event: "refund.succeeded",
    entry: "refund",
  },
  "payments.void": {
    ...said("the payment was voided", "Nothing was voided."),
    ...provider("void", "voided it", "voided nothing"),
    row: { table: "voids", label: "Void" },
    event: "payment.voided",
    entry: "void",
  },
  "accounts.create": {
    ...said("the account was opened", "No account was opened."),
    row: { table: "accounts", label: "Account" },
    event: "account.opened",
    entry: NONE,
  },
};

/** By its name; an operation of another service by the rows that it left, else only what holds for any operation. */
export function expectedEffects({ request, made }: Pick<ProofFacts, "request" | "made">): ExpectedEffects {
  const known = KNOWN[request.operation];
  if (known !== undefined) return known;
  if (request.operation.startsWith(CONSOLE_ACTIONS)) return ACTION;
  return Object.values(KNOWN).find(({ row }) => row?.table === made.rows[0]?.table) ?? OTHER;
}
