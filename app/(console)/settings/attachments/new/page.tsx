import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { AttachmentSetup } from "@/components/attachments/setup/attachment-setup";
import { readAttachmentForm } from "@/console/attachments/read-attachments";

export const metadata: Metadata = { title: "Attach a database" };

export default consolePage({
  title: "Attach a database",
  what: "The form",
  path: "/settings/attachments/new",
  read: (ctx) => readAttachmentForm(ctx),
  show: (view) => <AttachmentSetup view={view} />,
});
