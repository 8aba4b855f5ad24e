import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { PageProblem } from "@/components/feedback/page-problem";
import { OperationView } from "@/components/operation/operation-view";
import type { SearchInput } from "@/presentation/filters/search";
import { clientsOfKey } from "@/console/read/operations/clients-of-key";
import { readOperation } from "@/console/read/operations/read-operation";

interface OperationPageProps {
  readonly params: Promise<{ readonly operationId: string }>;
  readonly searchParams: Promise<SearchInput>;
}

/** Once for the title and the page. */
const read = cache(async (operationId: string) => {
  const ctx = await consoleContext();
  return attempt(ctx, () => readOperation(ctx, { operationId }));
});

async function readCallers(operationId: string) {
  const ctx = await consoleContext();
  const callers = await attempt(ctx, () => clientsOfKey(ctx, { operationId }));
  return callers.ok ? callers.value : undefined;
}

export async function generateMetadata({ params }: OperationPageProps): Promise<Metadata> {
  const found = await read((await params).operationId);
  return { title: found.ok && found.value !== undefined ? found.value.verdict.text : "Operation" };
}

export default async function OperationPage({ params, searchParams }: OperationPageProps) {
  const { operationId } = await params;
  const address = { path: `/operations/${operationId}`, search: await searchParams };
  const found = await read(operationId);
  if (!found.ok) return <PageProblem title="Operation" what="The operation" problem={found} retryHref={address.path} />;
  if (found.value === undefined) notFound();
  // The dialog that takes the answer away says who may still come for it; where it is not offered, nobody asks.
  const purge = found.value.actions.find(({ action }) => action === "purge_body");
  const callers = purge?.allowed === true ? await readCallers(operationId) : undefined;
  return <OperationView operation={found.value} address={address} callers={callers} />;
}
