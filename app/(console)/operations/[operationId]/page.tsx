import type { Metadata } from "next";
import { sharedRead, showRead, type SearchProps } from "@/app/_server/show-page";
import { OperationView } from "@/components/operation/operation-view";
import { clientsOfKey } from "@/console/read/operations/clients-of-key";
import { readOperation } from "@/console/read/operations/read-operation";

interface OperationPageProps extends SearchProps {
  readonly params: Promise<{ readonly operationId: string }>;
}

const read = sharedRead((ctx, operationId: string) => readOperation(ctx, { operationId }));
const readCallers = sharedRead((ctx, operationId: string) => clientsOfKey(ctx, { operationId }));

export async function generateMetadata({ params }: OperationPageProps): Promise<Metadata> {
  const found = await read((await params).operationId);
  return { title: found.ok && found.value !== undefined ? found.value.verdict.text : "Operation" };
}

export default async function OperationPage({ params, searchParams }: OperationPageProps) {
  const { operationId } = await params;
  const address = { path: `/operations/${operationId}`, search: await searchParams };
  const found = await read(operationId);
  // The dialog that takes the answer away says who may still come for it; where it is not offered, nobody asks.
  const purge = found.ok ? found.value?.actions.find(({ action }) => action === "purge_body") : undefined;
  const callers = purge?.allowed === true ? await readCallers(operationId) : undefined;
  return showRead({ title: "Operation", what: "The operation", address: address.path }, found, (operation) => (
    <OperationView operation={operation} address={address} callers={callers?.ok === true ? callers.value : undefined} />
  ));
}
