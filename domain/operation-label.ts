import { CONSOLE_ACTIONS } from "./operation-kind";

export { CONSOLE_ACTIONS } from "./operation-kind";

interface Label {
  readonly kind: string;
  readonly route: string;
  readonly provider: boolean;
}

const LABELS: Readonly<Record<string, Label>> = {
  "payments.create": { kind: "Payment", route: "POST /payments", provider: true },
  "refunds.create": { kind: "Refund", route: "POST /refunds", provider: true },
  "payments.void": { kind: "Void", route: "POST /payments/{id}/void", provider: true },
  "accounts.create": { kind: "Account", route: "POST /accounts", provider: false },
};

/** "Payment" for "payments.create"; a name we do not know stays as it is. */
export function operationKind(operation: string): string {
  return LABELS[operation]?.kind ?? (operation.startsWith(CONSOLE_ACTIONS) ? "Console action" : operation);
}

export function operationRoute(operation: string): string {
  return LABELS[operation]?.route ?? operation;
}

/** Others belong to services that speak SQL (docs/SQL-CONTRACT.md): what they are made of is known from their rows alone. */
export function isOurs(operation: string): boolean {
  return operation in LABELS || operation.startsWith(CONSOLE_ACTIONS);
}

/** Whether the operation calls the payment provider; the local path is one transaction. */
export function usesProvider(operation: string): boolean {
  return LABELS[operation]?.provider ?? false;
}
