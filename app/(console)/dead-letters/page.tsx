import type { Metadata } from "next";
import { cache } from "react";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import type { DeadMessage } from "@/components/messages/requeue-dialog";
import { deadLettersTitle, DeadLettersView } from "@/components/dead-letters/dead-letters-view";
import { DeadLettersDialogs, foundDead } from "@/components/dead-letters/dead-letters-dialogs";
import type { OpenedMessage } from "@/components/messages/message-pane";
import { ListProblem } from "@/components/feedback/list-problem";
import { FollowPage } from "@/components/shell/live-provider";
import { ButtonLink } from "@/components/ui/button";
import { deadLetterSearch, parseDeadLetterFilters } from "@/presentation/filters/dead-letters";
import type { SearchInput } from "@/presentation/filters/search";
import { filterHref, filterSearch, hrefWith, pageParam } from "@/presentation/list/page-address";
import type { DeadLettersView as View } from "@/presentation/views/dead-letters";
import { listDeadLetters } from "@/console/read/messages/list-dead-letters";
import { readInboxMessage, readOutboxMessage } from "@/console/read/messages/read-message";

interface DeadLettersPageProps {
  readonly searchParams: Promise<SearchInput>;
}

/** Once for the title and the page; what was asked for as text, so that both ask for the same. */
const readDeadLetters = cache(async (search: string, open: string | undefined, cursor: string | undefined) => {
  const ctx = await consoleContext();
  const { filters } = parseDeadLetterFilters(Object.fromEntries(new URLSearchParams(search)));
  return attempt(ctx, () => listDeadLetters(ctx, { filters, open, cursor }));
});

/** `row=<side>:<id>`: the message beside the list. */
async function openedMessage(row: string | undefined): Promise<OpenedMessage> {
  const [side, id] = row?.split(":", 2) ?? [];
  const ctx = await consoleContext();
  if (side === "outbox") return opened(ctx, id, (one) => readOutboxMessage(ctx, { id: one }), row);
  return side === "inbox" ? opened(ctx, id, (one) => readInboxMessage(ctx, { id: one }), row) : undefined;
}

/** The message that a dialog is about, where the list does not have it: an address may lead to any. */
async function askedMessage(dialog: string | undefined, view: View): Promise<DeadMessage | undefined> {
  const name = dialog?.replace(/^discard:/, "");
  const [side, id = ""] = name?.split(":", 2) ?? [];
  if (view.rows.rows.some((row) => row.side === side && row.messageId === id)) return undefined;
  const found = await openedMessage(name);
  return found === undefined || found.value === "gone" ? undefined : foundDead(found.value);
}

function questionOf(search: SearchInput) {
  const address = { path: "/dead-letters", search };
  const parsed = parseDeadLetterFilters(filterSearch(address));
  return { ...parsed, address, open: pageParam(address, "open"), text: deadLetterSearch(parsed.filters) };
}

export async function generateMetadata({ searchParams }: DeadLettersPageProps): Promise<Metadata> {
  const { text, open, cursor } = questionOf(await searchParams);
  const read = await readDeadLetters(text, open, cursor);
  return { title: read.ok ? deadLettersTitle(read.value) : "Dead letters" };
}

export default async function DeadLettersPage({ searchParams }: DeadLettersPageProps) {
  const ctx = await consoleContext();
  const { address, filters, problems, open, cursor, text } = questionOf(await searchParams);
  const [read, message, facts] = await Promise.all([
    readDeadLetters(text, open, cursor),
    openedMessage(pageParam(address, "row")),
    listFacts(ctx, "dead-letters"),
  ]);
  if (!read.ok)
    return (
      <ListProblem
        title="Dead letters"
        what="The dead letters"
        problem={read}
        retryHref={hrefWith(address, {})}
        looked="every dead letter of these filters"
        narrower={
          <>
            <ButtonLink small href={filterHref(address, { side: "outbox" })}>
              Only the outbox
            </ButtonLink>
            <ButtonLink small href={filterHref(address, { side: "inbox" })}>
              Only the inbox
            </ButtonLink>
          </>
        }
      />
    );
  const asked = await askedMessage(pageParam(address, "dialog"), read.value);
  return (
    <>
      <FollowPage page={`dead-letters${text}`} since={read.value.at} refresh="ask" />
      <DeadLettersView
        view={read.value}
        filters={filters}
        problems={problems}
        address={address}
        facts={facts}
        opened={message}
      />
      <DeadLettersDialogs view={read.value} filters={filters} asked={asked} />
    </>
  );
}
