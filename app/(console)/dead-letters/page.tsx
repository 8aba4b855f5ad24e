import type { Metadata } from "next";
import { cache } from "react";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { deadLettersTitle, DeadLettersView } from "@/components/dead-letters/dead-letters-view";
import { PageProblem } from "@/components/feedback/page-problem";
import { RequeueInboxDialog } from "@/components/inbox/inbox-list";
import { RequeueOutboxDialog } from "@/components/outbox/outbox-list";
import { FollowPage } from "@/components/shell/live-provider";
import { deadLetterSearch, parseDeadLetterFilters } from "@/domain/filters/dead-letters";
import type { SearchInput } from "@/domain/filters/search";
import { filterSearch, hrefWith, placeOf } from "@/domain/page-address";
import type { EngineContext } from "@/engine/context";
import { listDeadLetters } from "@/engine/read/list-dead-letters";
import { readInboxMessage } from "@/engine/read/read-inbox-message";
import { readOutboxMessage } from "@/engine/read/read-outbox-message";

interface DeadLettersPageProps {
  readonly searchParams: Promise<SearchInput>;
}

/** Once for the title and the page; the filters as text, so that both ask for the same. */
const readLetters = cache(async (search: string) => {
  const ctx = await consoleContext();
  const { filters } = parseDeadLetterFilters(Object.fromEntries(new URLSearchParams(search)));
  return attempt(ctx, () => listDeadLetters(ctx, { filters }));
});

function filtersOf(search: SearchInput) {
  return parseDeadLetterFilters(filterSearch({ path: "/dead-letters", search }));
}

export async function generateMetadata({ searchParams }: DeadLettersPageProps): Promise<Metadata> {
  const { filters } = filtersOf(await searchParams);
  const read = await readLetters(deadLetterSearch(filters));
  return { title: read.ok ? deadLettersTitle(read.value) : "Dead letters" };
}

export default async function DeadLettersPage({ searchParams }: DeadLettersPageProps) {
  const ctx = await consoleContext();
  const address = { path: "/dead-letters", search: await searchParams };
  const { filters, problems } = filtersOf(address.search);
  const read = await readLetters(deadLetterSearch(filters));
  if (!read.ok)
    return (
      <PageProblem title="Dead letters" what="The dead letters" problem={read} retryHref={hrefWith(address, {})} />
    );
  const { at, requeue } = read.value;
  const whyNot = requeue.allowed ? undefined : requeue.whyNot;
  const dialog = placeOf(address, "dialog");
  return (
    <>
      <FollowPage page={`dead-letters${deadLetterSearch(filters)}`} since={at} refresh="ask" />
      <DeadLettersView view={read.value} filters={filters} problems={problems} address={address} />
      {dialog !== undefined && <Dialog ctx={ctx} name={dialog} whyNot={whyNot} now={at} />}
    </>
  );
}

interface DialogProps {
  readonly ctx: EngineContext;
  /** "outbox:<id>" or "inbox:<id>". */
  readonly name: string;
  readonly whyNot: string | undefined;
  readonly now: string;
}

/** The message is read again for its dialog, so that the verdict on acting is the present one. */
async function Dialog({ ctx, name, whyNot, now }: DialogProps) {
  const [side, id = ""] = name.split(":", 2);
  if (side === "outbox") {
    const read = await attempt(ctx, () => readOutboxMessage(ctx, { id }));
    return <RequeueOutboxDialog name={name} id={id} row={read.ok ? read.value : undefined} whyNot={whyNot} />;
  }
  if (side === "inbox") {
    const read = await attempt(ctx, () => readInboxMessage(ctx, { id }));
    return <RequeueInboxDialog name={name} id={id} row={read.ok ? read.value : undefined} whyNot={whyNot} now={now} />;
  }
  return null;
}
