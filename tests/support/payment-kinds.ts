import { kindOf, kindOfModule, type OperationKind, type OperationKinds } from "@/domain/operation-kind";
import { KINDS } from "@/payments/kinds";
import { providerFacts } from "@/payments/provider/capabilities";

export { providerFacts } from "@/payments/provider/capabilities";

/** The kinds of the example module, crossing to its sandbox: what test databases have registered. */
export const SAMPLE_KINDS: readonly OperationKind[] = kindsCrossing("sandbox");

/** The kinds of the example module, crossing to one of its providers. */
export function kindsCrossing(to: Parameters<typeof providerFacts>[0]): readonly OperationKind[] {
  return Object.entries(KINDS).map(([name, said]) => {
    const provider = name === "accounts.create" ? undefined : providerFacts(to);
    const path = provider === undefined ? "local" : "provider";
    return kindOfModule({ name: "payments" }, { ...said, name, path, provider });
  });
}

const BY_NAME: OperationKinds = new Map(SAMPLE_KINDS.map((kind) => [kind.name, kind]));

/** @returns what a console over such a database knows of an operation */
export function sampleKind(operation: string): OperationKind {
  return kindOf(BY_NAME, operation);
}

/** A kind as a service in another language registers it. */
export const ORDER_KIND: OperationKind = {
  name: "orders.ship",
  owner: "warehouse",
  runsIn: "service",
  label: "Shipment",
  route: "POST /orders/{id}/shipment",
  path: "local",
  actions: [],
  expects: { once: "The order was shipped once.", none: "Nothing was shipped.", event: "order.shipped" },
  version: "7",
};
