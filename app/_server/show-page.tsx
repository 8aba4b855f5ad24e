import "server-only";

import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { PageProblem } from "@/components/feedback/page-problem";
import { whyNot, type Action } from "@/domain/access/permission";
import { roleOf } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import type { SearchInput } from "@/presentation/filters/search";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { attempt, type ReadAttempt } from "./attempt";
import { consoleRequest, type ConsoleRequest } from "./console";

export interface SearchProps {
  readonly searchParams: Promise<SearchInput>;
}

interface PageFrame {
  readonly title: string;
  /** What is read, as a sentence about a failure begins: "The list". */
  readonly what: string;
  readonly address: PageAddress | string;
  /** Stands in the place of the usual notice when the read failed. */
  readonly problem?: typeof PageProblem;
}

/** A page that rests on one read: what it shows, "nothing here" where there is nothing, or what went wrong. */
export async function showPage<Value>(
  frame: PageFrame,
  read: (ctx: EngineContext, request: ConsoleRequest) => Value | undefined | Promise<Value | undefined>,
  show: (value: Value, ctx: EngineContext) => ReactNode,
): Promise<ReactNode> {
  const request = await consoleRequest();
  const found = await attempt(request.ctx, () => read(request.ctx, request));
  return showRead(frame, found, (value) => show(value, request.ctx));
}

/** The same for what was read already, for the title of the page. */
export function showRead<Value>(
  { title, what, address, problem: Problem = PageProblem }: PageFrame,
  found: ReadAttempt<Value | undefined>,
  show: (value: Value) => ReactNode,
): ReactNode {
  if (found.ok) return found.value === undefined ? notFound() : show(found.value);
  const retryHref = typeof address === "string" ? address : hrefWith(address, {});
  return <Problem title={title} what={what} problem={found} retryHref={retryHref} />;
}

/** Why the person who looks may not act; undefined when they may. */
export function whyNotHere(ctx: EngineContext, action: Action): string | undefined {
  return whyNot(roleOf(ctx.actor), action);
}
