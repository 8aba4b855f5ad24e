import type { Metadata } from "next";
import { cache } from "react";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { listFacts } from "@/app/_server/list-facts";
import { DeadLetterDialog } from "@/components/dead-letters/dead-letter-dialog";
import { deadLettersTitle, DeadLettersView } from "@/components/dead-letters/dead-letters-view";
import type { OpenLetter } from "@/components/dead-letters/letter-rows";
import { ListProblem } from "@/components/feedback/list-problem";
import { FollowPage } from "@/components/shell/live-provider";
import { ButtonLink } from "@/components/ui/button";
import { deadLetterSearch, parseDeadLetterFilters } from "@/presentation/filters/dead-letters";
import type { SearchInput } from "@/presentation/filters/search";
import { UUID } from "@/domain/uuid";
import { filterHref, filterSearch, hrefWith, placeOf } from "@/presentation/list/page-address";
import { listDeadLetters } from "@/console/read/messages/list-dead-letters";
import { readInboxMessage } from "@/console/read/messages/read-inbox-message";
import { readOutboxMessage } from "@/console/read/messages/read-outbox-message";

interface DeadLettersPageProps {
  readonly searchParams: Promise<SearchInput>;
}

/** Once for the title and the page; what was asked for as text, so that both ask for the same. */
const readLetters = cache(async (search: string, open: string | undefined, cursor: string | undefined) => {
  const ctx = await consoleContext();
  const { filters } = parseDeadLetterFilters(Object.fromEntries(new URLSearchParams(search)));
  return attempt(ctx, () => listDeadLetters(ctx, { filters, open, cursor }));
});

/** `row=<side>:<id>`: the message beside the list. */
async function openLetter(row: string | undefined): Promise<OpenLetter | undefined> {
  const [side, id = ""] = row?.split(":", 2) ?? [];
  if (side !== "outbox" && side !== "inbox") return undefined;
  if (!UUID.test(id)) return { side, message: "gone" };
  const ctx = await consoleContext();
  if (side === "outbox") {
    const read = await attempt(ctx, () => readOutboxMessage(ctx, { id }));
    return { side, message: read.ok ? (read.value ?? "gone") : "gone" };
  }
  const read = await attempt(ctx, () => readInboxMessage(ctx, { id }));
  return { side, message: read.ok ? (read.value ?? "gone") : "gone" };
}

function questionOf(search: SearchInput) {
  const address = { path: "/dead-letters", search };
  const parsed = parseDeadLetterFilters(filterSearch(address));
  return { ...parsed, address, open: placeOf(address, "open"), text: deadLetterSearch(parsed.filters) };
}

export async function generateMetadata({ searchParams }: DeadLettersPageProps): Promise<Metadata> {
  const { text, open, cursor } = questionOf(await searchParams);
  const read = await readLetters(text, open, cursor);
  return { title: read.ok ? deadLettersTitle(read.value) : "Dead letters" };
}

export default async function DeadLettersPage({ searchParams }: DeadLettersPageProps) {
  const ctx = await consoleContext();
  const { address, filters, problems, open, cursor, text } = questionOf(await searchParams);
  const [read, letter, facts] = await Promise.all([
    readLetters(text, open, cursor),
    openLetter(placeOf(address, "row")),
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
  const dialog = placeOf(address, "dialog");
  const [side, id = ""] = dialog?.replace(/^discard:/, "").split(":", 2) ?? [];
  // Read again for its dialog, so that the verdict on acting is the present one.
  const outbox = side === "outbox" ? await attempt(ctx, () => readOutboxMessage(ctx, { id })) : undefined;
  const inbox = side === "inbox" ? await attempt(ctx, () => readInboxMessage(ctx, { id })) : undefined;
  return (
    <>
      <FollowPage page={`dead-letters${text}`} since={read.value.at} refresh="ask" />
      <DeadLettersView
        view={read.value}
        filters={filters}
        problems={problems}
        address={address}
        facts={facts}
        open={letter}
      />
      {dialog !== undefined && (
        <DeadLetterDialog
          name={dialog}
          view={read.value}
          filters={filters}
          outbox={outbox?.ok === true ? outbox.value : undefined}
          inbox={inbox?.ok === true ? inbox.value : undefined}
        />
      )}
    </>
  );
}
