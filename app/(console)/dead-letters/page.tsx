import type { Metadata } from "next";
import { consoleContext } from "@/app/_server/console";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { sharedRead, showRead, type SearchProps } from "@/app/_server/show-page";
import type { DeadMessage } from "@/components/messages/requeue-dialog";
import { deadLettersTitle, DeadLettersView } from "@/components/dead-letters/dead-letters-view";
import { DeadLettersDialogs, foundDead } from "@/components/dead-letters/dead-letters-dialogs";
import type { OpenedMessage } from "@/components/messages/message-pane";
import { ListProblem } from "@/components/feedback/list-problem";
import type { PageProblemProps } from "@/components/feedback/page-problem";
import { FollowPage } from "@/components/shell/live-provider";
import { ButtonLink } from "@/components/ui/button";
import { deadLetterSearch, parseDeadLetterFilters } from "@/presentation/filters/parsers";
import type { SearchInput } from "@/presentation/filters/search";
import { filterHref, filterSearch, pageParam } from "@/presentation/list/page-address";
import type { DeadLettersView as View } from "@/presentation/views/dead-letters";
import { listDeadLetters } from "@/console/read/messages/list-dead-letters";
import { readInboxMessage, readOutboxMessage } from "@/console/read/messages/read-message";

const readDeadLetters = sharedRead((ctx, search: string, open: string | undefined, cursor: string | undefined) => {
  const { filters } = parseDeadLetterFilters(Object.fromEntries(new URLSearchParams(search)));
  return listDeadLetters(ctx, { filters, open, cursor });
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
  // A row that is settled says nothing of a message that died again since.
  const open = view.rows.rows.filter(({ requeuedAt }) => requeuedAt === undefined);
  if (open.some((row) => row.side === side && row.messageId === id)) return undefined;
  const found = await openedMessage(name);
  return found === undefined || found.value === "gone" ? undefined : foundDead(found.value);
}

function questionOf(search: SearchInput) {
  const address = { path: "/dead-letters", search };
  const parsed = parseDeadLetterFilters(filterSearch(address));
  return { ...parsed, address, open: pageParam(address, "open"), text: deadLetterSearch(parsed.filters) };
}

export async function generateMetadata({ searchParams }: SearchProps): Promise<Metadata> {
  const { text, open, cursor } = questionOf(await searchParams);
  const read = await readDeadLetters(text, open, cursor);
  return { title: read.ok ? deadLettersTitle(read.value) : "Dead letters" };
}

export default async function DeadLettersPage({ searchParams }: SearchProps) {
  const ctx = await consoleContext();
  const { address, filters, problems, open, cursor, text } = questionOf(await searchParams);
  const [read, message, facts] = await Promise.all([
    readDeadLetters(text, open, cursor),
    openedMessage(pageParam(address, "row")),
    listFacts(ctx, "dead-letters"),
  ]);
  const asked = read.ok ? await askedMessage(pageParam(address, "dialog"), read.value) : undefined;
  const problem = (props: PageProblemProps) => (
    <ListProblem
      {...props}
      looked="every dead letter of these filters"
      narrower={
        filters.side === undefined &&
        (["outbox", "inbox"] as const).map((side) => (
          <ButtonLink key={side} small href={filterHref(address, { side })}>
            Only the {side}
          </ButtonLink>
        ))
      }
    />
  );
  return showRead({ title: "Dead letters", what: "The dead letters", address, problem }, read, (view) => (
    <FollowPage page={`dead-letters${text}`} since={view.at} refresh="ask" counts={{ deadLetters: view.open }}>
      <DeadLettersView
        view={view}
        filters={filters}
        problems={problems}
        address={address}
        facts={facts}
        opened={message}
      />
      <DeadLettersDialogs view={view} filters={filters} asked={asked} />
    </FollowPage>
  ));
}
