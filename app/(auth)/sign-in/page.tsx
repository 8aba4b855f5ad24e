import type { Metadata } from "next";
import { SignInView } from "@/components/auth/sign-in-view";
import { returnPath } from "@/domain/return-path";

export const metadata: Metadata = { title: "Sign in" };

interface SignInPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next } = await searchParams;
  return <SignInView next={returnPath(next)} />;
}
