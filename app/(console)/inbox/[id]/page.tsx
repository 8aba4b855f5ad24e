import type { Metadata } from "next";
import { messageMetadata, MessagePage, type MessagePageProps } from "@/app/_server/message-page";

export function generateMetadata(props: MessagePageProps): Promise<Metadata> {
  return messageMetadata("inbox", props);
}

export default function InboxMessagePage(props: MessagePageProps) {
  return <MessagePage side="inbox" {...props} />;
}
