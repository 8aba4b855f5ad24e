import "server-only";

import { notFound } from "next/navigation";
import { cache, type ReactNode } from "react";
import { PageProblem } from "@/components/feedback/page-problem";
import { FollowPage, type LivePage } from "@/components/shell/live-provider";
import { nameIn } from "@/domain/access/path-name";
import type { Action } from "@/domain/access/permission";
import { whyNotFor } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import type { Parsed, SearchInput } from "@/presentation/filters/search";
import { filterSearch, hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { attempt, readOrAgain, type ReadAttempt } from "./attempt";
import { consoleContext, consoleRequest, type ConsoleRequest } from "./console";

export interface SearchProps {
  readonly searchParams: Promise<SearchInput>;
}

interface PageFrame {
  readonly title: string;
  /** What is read, as a sentence about a failure begins: "The list". */
  readonly what: string;
  readonly address: PageAddress | string;
  /** Stands in the place of the usual notice when the read failed. */
  readonly problem?: typeof PageProblem | undefined;
}

/** What a page was asked for, and who asks. */
export interface Asked<Filters> extends Parsed<Filters> {
  readonly address: PageAddress;
  readonly request: ConsoleRequest;
}

/** A page that rests on one read: its address is understood, its verb called once, and what was read is shown and followed. */
interface PageOptions<Filters, Value> extends Omit<PageFrame, "address" | "problem"> {
  readonly path: string;
  /** Without it the page understands no search. */
  readonly parse?: ((search: SearchInput) => Parsed<Filters>) | undefined;
  readonly read: (ctx: EngineContext, asked: Asked<Filters>) => Value | undefined | Promise<Value | undefined>;
  /** What the poll asks for while this page is on the screen. */
  readonly follow?: ((value: Value, asked: Asked<Filters>) => LivePage | undefined) | undefined;
  readonly show: (value: Value, asked: Asked<Filters>) => ReactNode;
  readonly problem?: ((address: PageAddress) => typeof PageProblem) | undefined;
}

/** The page of one thing that the address names: a client, a topic. */
interface NamedPageOptions<Param extends string, Filters, Value> extends Omit<PageOptions<Filters, Value>, "read"> {
  readonly param: Param;
  readonly read: (ctx: EngineContext, name: string, filters: Filters) => Promise<Value | undefined>;
}

/** @returns a page as Next wants it */
export function consolePage<Filters, Value>(page: PageOptions<Filters, Value>) {
  return async function ConsolePage({ searchParams }: SearchProps): Promise<ReactNode> {
    const { title, what, path, parse, problem, read, follow, show } = page;
    const address = { path, search: parse === undefined ? {} : await searchParams };
    const parsed = parse?.(filterSearch(address)) ?? { filters: undefined as Filters, problems: [] };
    const request = await consoleRequest();
    const asked = { ...parsed, address, request };
    const found = await attempt(request.ctx, () => readOrAgain(request.ctx, () => read(request.ctx, asked)));
    return showRead({ title, what, address, problem: problem?.(address) }, found, (value) => {
      const live = follow?.(value, asked);
      return (
        <>
          {live !== undefined && <FollowPage {...live} />}
          {show(value, asked)}
        </>
      );
    });
  };
}

/** @returns the page and its title; a name that nothing can have is nowhere */
export function namedPage<Param extends string, Filters, Value>(page: NamedPageOptions<Param, Filters, Value>) {
  type Props = SearchProps & { readonly params: Promise<Readonly<Record<Param, string>>> };
  const { param, title, path, read } = page;
  return {
    metadata: async ({ params }: Props) => {
      const name = nameIn((await params)[param]);
      return { title: name === undefined ? title : `${title} ${name}` };
    },
    Page: async ({ params, searchParams }: Props): Promise<ReactNode> => {
      const name = nameIn((await params)[param]);
      if (name === undefined) notFound();
      return consolePage<Filters, Value>({
        ...page,
        path: `${path}/${encodeURIComponent(name)}`,
        read: (ctx, { filters }) => read(ctx, name, filters),
      })({ searchParams });
    },
  };
}

/** @returns a read that is made once for the title of a page and the page; both ask with the same plain values */
export function sharedRead<Asks extends readonly (string | undefined)[], Value>(
  read: (ctx: EngineContext, ...asks: Asks) => Value | Promise<Value>,
): (...asks: Asks) => Promise<ReadAttempt<Value>> {
  return cache(async (...asks: Asks) => {
    const ctx = await consoleContext();
    return attempt(ctx, () => readOrAgain(ctx, () => read(ctx, ...asks)));
  });
}

/** What was read: shown, "nothing here" where there is nothing, or what went wrong. */
export function showRead<Value>(
  { title, what, address, problem: Problem = PageProblem }: PageFrame,
  found: ReadAttempt<Value | undefined>,
  show: (value: Value) => ReactNode,
): ReactNode {
  if (found.ok) return found.value === undefined ? notFound() : show(found.value);
  // An address that names no page of the list would do so again.
  const changes = found.error.code === "validation.cursor" ? { cursor: undefined } : {};
  const retryHref = typeof address === "string" ? address : hrefWith(address, changes);
  return <Problem title={title} what={what} problem={found} retryHref={retryHref} />;
}

/** Why the person who looks may not act; undefined when they may. */
export function whyNotHere(ctx: EngineContext, action: Action): string | undefined {
  return whyNotFor(ctx, action);
}
