import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { consoleRequest } from "@/app/_server/console";
import { sharedRead, showRead, type SearchProps } from "@/app/_server/show-page";
import { FollowPage } from "@/components/shell/live-provider";
import { NoReference, ReferenceView } from "@/components/reference/reference-view";
import { readReference } from "@/console/read/operations/read-reference";
import { nameIn } from "@/domain/access/path-name";
import { parseReferenceCustomer, referenceHref } from "@/presentation/filters/references";

interface ReferencePageProps extends SearchProps {
  readonly params: Promise<{ readonly reference: string }>;
}

const read = sharedRead(
  async (ctx, reference: string, customer: string | undefined) =>
    (await readReference(ctx, { reference, customer, zone: (await consoleRequest()).zone })) ?? "none",
);

async function askedOf({ params, searchParams }: ReferencePageProps) {
  const reference = nameIn((await params).reference);
  const { customer } = parseReferenceCustomer(await searchParams).filters;
  return reference === undefined ? undefined : { reference, customer };
}

export async function generateMetadata(props: ReferencePageProps): Promise<Metadata> {
  const asked = await askedOf(props);
  const found = asked === undefined ? undefined : await read(asked.reference, asked.customer);
  if (asked === undefined || found === undefined || !found.ok) return { title: "Reference" };
  return { title: found.value === "none" ? "No payment key carries this reference" : found.value.verdict.text };
}

export default async function ReferencePage(props: ReferencePageProps) {
  const asked = await askedOf(props);
  if (asked === undefined) notFound();
  const { reference, customer } = asked;
  const address = referenceHref(reference, customer);
  const found = await read(reference, customer);
  return showRead({ title: "Reference", what: "The reference", address }, found, (view) =>
    view === "none" ? (
      <NoReference reference={reference} customer={customer} />
    ) : (
      <FollowPage page="references" since={view.at} refresh="always">
        <ReferenceView view={view} />
      </FollowPage>
    ),
  );
}
