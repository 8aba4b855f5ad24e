import type { Metadata } from "next";
import { cache } from "react";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { showRead, type SearchProps } from "@/app/_server/show-page";
import type { LetterFacts } from "@/components/dead-letters/dead-letter-dialog";
import { deadLettersTitle, DeadLettersView } from "@/components/dead-letters/dead-letters-view";
import { LetterDialogs, letterOf } from "@/components/dead-letters/letter-dialogs";
import type { OpenedLetter } from "@/components/dead-letters/letter-pane";
import { ListProblem } from "@/components/feedback/list-problem";
import type { PageProblemProps } from "@/components/feedback/page-problem";
import { FollowPage } from "@/components/shell/live-provider";
import { ButtonLink } from "@/components/ui/button";
import { deadLetterSearch, parseDeadLetterFilters } from "@/presentation/filters/dead-letters";
import type { SearchInput } from "@/presentation/filters/search";
import { filterHref, filterSearch, pageParam } from "@/presentation/list/page-address";
import type { DeadLettersView as View } from "@/presentation/views/dead-letters";
import { listDeadLetters } from "@/console/read/messages/list-dead-letters";
import { readInboxMessage, readOutboxMessage } from "@/console/read/messages/read-message";

/** Once for the title and the page; what was asked for as text, so that both ask for the same. */
const readDeadLetters = cache(async (search: string, open: string | undefined, cursor: string | undefined) => {
  const ctx = await consoleContext();
  const { filters } = parseDeadLetterFilters(Object.fromEntries(new URLSearchParams(search)));
  return attempt(ctx, () => listDeadLetters(ctx, { filters, open, cursor }));
});

/** `row=<side>:<id>`: the message beside the list. */
async function openedLetter(row: string | undefined): Promise<OpenedLetter> {
  const [side, id] = row?.split(":", 2) ?? [];
  const ctx = await consoleContext();
  const [outbox, inbox] = await Promise.all([
    opened(ctx, side === "outbox" ? id : undefined, (one) => readOutboxMessage(ctx, { id: one })),
    opened(ctx, side === "inbox" ? id : undefined, (one) => readInboxMessage(ctx, { id: one })),
  ]);
  return { outbox, inbox };
}

/** The message that a dialog is about, where the list does not have it: an address may lead to any. */
async function askedLetter(dialog: string | undefined, view: View): Promise<LetterFacts | undefined> {
  const [side, id = ""] = dialog?.replace(/^discard:/, "").split(":", 2) ?? [];
  if (view.rows.rows.some((row) => row.side === side && row.messageId === id)) return undefined;
  const { outbox, inbox } = await openedLetter(`${side ?? ""}:${id}`);
  if (outbox !== undefined && outbox.value !== "gone") return letterOf({ side: "outbox", message: outbox.value });
  return inbox === undefined || inbox.value === "gone" ? undefined : letterOf({ side: "inbox", message: inbox.value });
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
  const [read, letter, facts] = await Promise.all([
    readDeadLetters(text, open, cursor),
    openedLetter(pageParam(address, "row")),
    listFacts(ctx, "dead-letters"),
  ]);
  const asked = read.ok ? await askedLetter(pageParam(address, "dialog"), read.value) : undefined;
  const problem = (props: PageProblemProps) => (
    <ListProblem
      {...props}
      looked="every dead letter of these filters"
      narrower={(["outbox", "inbox"] as const).map((side) => (
        <ButtonLink key={side} small href={filterHref(address, { side })}>
          Only the {side}
        </ButtonLink>
      ))}
    />
  );
  return showRead({ title: "Dead letters", what: "The dead letters", address, problem }, read, (view) => (
    <FollowPage page={`dead-letters${text}`} since={view.at} refresh="ask">
      <DeadLettersView
        view={view}
        filters={filters}
        problems={problems}
        address={address}
        facts={facts}
        opened={letter}
      />
      <LetterDialogs view={view} filters={filters} asked={asked} />
    </FollowPage>
  ));
}
