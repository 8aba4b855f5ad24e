import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { RetentionView } from "@/components/retention/retention-view";
import { readRetention } from "@/console/read/deployment/read-retention";

export const metadata: Metadata = { title: "Retention" };

export default consolePage({
  title: "Retention",
  what: "The preview",
  path: "/retention",
  parse: ({ cursor }) => ({
    filters: undefined,
    cursor: typeof cursor === "string" ? cursor : undefined,
    problems: [],
  }),
  read: (ctx, { cursor }) => readRetention(ctx, { cursor }),
  follow: ({ preview }) => ({ page: "retention", since: preview.at, refresh: "ask" }),
  show: (view, { address }) => <RetentionView view={view} address={address} />,
});
