import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { signedInWithoutTenant } from "@/app/_server/console";
import { NoTenantView } from "@/components/auth/no-tenant-view";

export const metadata: Metadata = { title: "No tenant" };

/** Where somebody lands who is signed in and has no role anywhere. */
export default async function NoTenantPage() {
  const person = await signedInWithoutTenant();
  if (person === undefined) redirect("/");
  return <NoTenantView email={person.email} />;
}
