import type { Metadata } from "next";
import { showPage } from "@/app/_server/show-page";
import { SecurityView } from "@/components/settings/security-view";
import { readOwnSecurity } from "@/console/read/access/read-people";

export const metadata: Metadata = { title: "Your security" };

export default function SecurityPage() {
  return showPage(
    { title: "Your security", what: "Your security", address: "/settings/security" },
    (ctx, { operator }) => readOwnSecurity(ctx, operator),
    ({ twoFactor, hasPassword }) => <SecurityView twoFactor={twoFactor} hasPassword={hasPassword} />,
  );
}
