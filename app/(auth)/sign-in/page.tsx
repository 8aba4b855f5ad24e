import type { Metadata } from "next";
import { processContainer } from "@/app/_server/container";
import { SignInView } from "@/components/auth/sign-in-view";
import { returnPath } from "@/domain/access/return-path";

export const metadata: Metadata = { title: "Sign in" };

interface SignInPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const [{ next, problem }, { config }] = await Promise.all([searchParams, processContainer()]);
  return <SignInView next={returnPath(next)} elsewhere={config.oidc?.name} refused={problem === "oidc"} />;
}
