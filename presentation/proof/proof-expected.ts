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

const ACTION: ExpectedEffects = {
  once: "The action ran once.",
  none: "The action did not run.",
  doubt: "The action has not ended yet.",
  event: NONE,
  entry: NONE,
};
const OTHER: ExpectedEffects = {
  once: "It ran once.",
  none: "It did not run.",
  doubt: "It is not known yet whether it ran.",
};

const KNOWN: Readonly<Record<string, ExpectedEffects>> = {
  "payments.create": {
    once: "Money moved once.",
    none: "No money moved.",
    doubt: "It is not known yet whether money moved.",
    provider: {
      asked: "The provider was asked to move money under one key.",
      acted: "The provider moved it once.",
      idle: "The provider moved nothing.",
    },
    row: { table: "payments", label: "Payment" },
    event: "payment.succeeded",
    entry: "payment",
  },
  "refunds.create": {
    once: "Money was given back once.",
    none: "No money was given back.",
    doubt: "It is not known yet whether money was given back.",
    provider: {
      asked: "The provider was asked to give money back under one key.",
      acted: "The provider gave it back once.",
      idle: "The provider gave nothing back.",
    },
    row: { table: "refunds", label: "Refund" },
    event: "refund.succeeded",
    entry: "refund",
  },
  "payments.void": {
    once: "The payment was voided once.",
    none: "Nothing was voided.",
    doubt: "It is not known yet whether the payment was voided.",
    provider: {
      asked: "The provider was asked to void under one key.",
      acted: "The provider voided it once.",
      idle: "The provider voided nothing.",
    },
    row: { table: "voids", label: "Void" },
    event: "payment.voided",
    entry: "void",
  },
  "accounts.create": {
    once: "The account was opened once.",
    none: "No account was opened.",
    doubt: "It is not known yet whether the account was opened.",
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
