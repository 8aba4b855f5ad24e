import type { Metadata } from "next";
import { JoinView } from "@/components/auth/join-view";

export const metadata: Metadata = { title: "Choose a password", referrer: "no-referrer" };

/** The secret of the link is in its fragment, which no server is sent. */
export default function JoinPage() {
  return <JoinView />;
}
