import type { Metadata } from "next";
import { processContainer } from "@/app/_server/container";
import type { SearchProps } from "@/app/_server/show-page";
import { SignInView } from "@/components/auth/sign-in-view";
import { returnPath } from "@/domain/access/return-path";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: SearchProps) {
  const [{ next, problem }, { config }] = await Promise.all([searchParams, processContainer()]);
  return <SignInView next={returnPath(next)} elsewhere={config.oidc?.name} refused={problem === "oidc"} />;
}
