import type { Metadata } from "next";
import { connection } from "next/server";
import { JoinPage } from "@/components/auth/join-page";

export const metadata: Metadata = { title: "Choose a password", referrer: "no-referrer" };

/** The secret of the link is in its fragment, which no server is sent. */
export default async function Page() {
  // Scripts carry the nonce of their own request, so the page cannot be made beforehand.
  await connection();
  return <JoinPage />;
}
