import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { AttachmentsView } from "@/components/attachments/attachments-view";
import { readAttachments } from "@/console/attachments/read-attachments";

export const metadata: Metadata = { title: "Attachments" };

export default consolePage({
  title: "Attachments",
  what: "The attached databases",
  path: "/settings/attachments",
  read: (ctx) => readAttachments(ctx),
  show: (view) => <AttachmentsView view={view} />,
});
