import { notFound } from "next/navigation";
import { consolePage, type SearchProps } from "@/app/_server/show-page";
import { CorrectView } from "@/components/corrections/correct-view";
import { readOutboxMessage } from "@/console/read/messages/read-message";
import { UUID } from "@/domain/uuid";

interface CorrectPageProps extends SearchProps {
  readonly params: Promise<{ readonly id: string }>;
}

export async function generateMetadata({ params }: CorrectPageProps) {
  return { title: `Edit and requeue ${(await params).id.slice(-8)}` };
}

export default async function CorrectPage({ params, searchParams }: CorrectPageProps) {
  const { id } = await params;
  if (!UUID.test(id)) notFound();
  return consolePage({
    title: "Edit and requeue",
    what: "This message",
    path: `/outbox/${id}/correct`,
    read: (ctx) => readOutboxMessage(ctx, { id: id.toLowerCase() }),
    show: (message) => <CorrectView message={message} />,
  })({ searchParams });
}
