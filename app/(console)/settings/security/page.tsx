import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { SecurityView } from "@/components/settings/security-view";
import { readOwnSecurity } from "@/console/read/access/read-people";

export const metadata: Metadata = { title: "Your security" };

export default consolePage({
  title: "Your security",
  what: "Your security",
  path: "/settings/security",
  read: (ctx, { request: { operator } }) => readOwnSecurity(ctx, operator),
  show: ({ twoFactor, hasPassword }) => <SecurityView twoFactor={twoFactor} hasPassword={hasPassword} />,
});
