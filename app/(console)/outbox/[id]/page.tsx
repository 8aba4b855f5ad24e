import type { Metadata } from "next";
import { messageMetadata, MessagePage, type MessagePageProps } from "@/app/_server/message-page";

export function generateMetadata(props: MessagePageProps): Promise<Metadata> {
  return messageMetadata("outbox", props);
}

export default function OutboxMessagePage(props: MessagePageProps) {
  return <MessagePage side="outbox" {...props} />;
}
