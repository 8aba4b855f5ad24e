import type { Metadata } from "next";
import { connection } from "next/server";
import { AuthPage } from "@/components/auth/auth-page";
import { JoinForm } from "@/components/auth/join-form";

export const metadata: Metadata = { title: "Choose a password", referrer: "no-referrer" };

/** The secret of the link is in its fragment, which no server is sent. */
export default async function JoinPage() {
  // Scripts carry the nonce of their own request, so the page cannot be made beforehand.
  await connection();
  return (
    <AuthPage
      title="Choose your password."
      note="This link opens once. With a password from here you sign in; nobody else sees it."
    >
      <JoinForm />
    </AuthPage>
  );
}
