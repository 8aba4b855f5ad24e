import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import { onPath } from "@/components/parts/in-app";
import { onConnection } from "@/components/parts/live-samples";
import { EmptiedPage } from "./emptied-page";
import { ListProblem } from "./list-problem";
import { LoadingRows } from "./loading-rows";
import { LostConnection } from "./lost-connection";
import { NarrowerTime } from "./narrower-time";
import { OutsideError } from "./outside/outside-error";
import { RouteError } from "./route-error";
import { ScanLimitNotice } from "./scan-limit-notice";
import { Notice } from "./notice";
import { PageProblem } from "./page-problem";
import { WhatIsDown } from "./what-is-down";

const DOWN = {
  parts: ["The process worker is down and is being started again."],
  loops: ["The loop recovery has stopped.", "No work is lost: it waits until a worker beats again."],
};
const problem = (status: number, code: string) => ({
  error: { status, code, message: "Your role may not read this." },
  requestId: "req-7",
});
const page = (rows: readonly unknown[], until: string) => ({
  rows,
  at: SAMPLE_NOW,
  looked: { rows: 10_000, until, further: "c2" },
});
const listProblem = (code: string) => (
  <ListProblem
    title="Conflicts"
    what="The list"
    looked="7 days of conflicts"
    narrower={<a href="?range=1h">Last hour</a>}
    retryHref="/conflicts"
    problem={problem(504, code)}
  />
);

export const feedbackParts: readonly Part[] = [
  {
    name: "ListProblem",
    states: [
      {
        name: "too broad to be quick",
        shows: listProblem("dependency.timeout"),
        says: ["This search took too long.", "It looked at 7 days of conflicts", "Last hour"],
        lacks: ["Try again"],
      },
      {
        name: "anything else",
        shows: listProblem("dependency.unavailable"),
        says: ["The list did not load.", "Try again"],
        lacks: ["Last hour", "too long"],
      },
    ],
  },
  {
    name: "NarrowerTime",
    states: [
      {
        name: "of days",
        shows: <NarrowerTime address={{ path: "/audit", search: { range: "7d", open: "1" } }} hours={168} />,
        says: ["Use 24 hours"],
        has: ['a[href="/audit?range=24h"]'],
      },
      {
        name: "of a day",
        shows: <NarrowerTime address={{ path: "/audit", search: {} }} hours={24} />,
        says: ["Use 1 hour"],
        lacks: ["24"],
      },
      {
        name: "of an hour: nothing is known to be less",
        shows: <NarrowerTime address={{ path: "/audit", search: { range: "1h" } }} hours={1} />,
        says: ["Read again"],
        lacks: ["Use"],
      },
      {
        name: "of a time that somebody chose",
        shows: <NarrowerTime address={{ path: "/audit", search: {} }} hours={undefined} />,
        says: ["Read again"],
        lacks: ["Use"],
      },
    ],
  },
  {
    name: "LoadingRows",
    states: [
      {
        name: "at first",
        shows: <LoadingRows rows={2} />,
        lacks: ["slow"],
        has: ['[aria-busy="true"]', "div > div + div"],
      },
    ],
  },
  {
    name: "LostConnection",
    states: [
      { name: "all is well", shows: onConnection(<LostConnection />), hasNot: ["*"] },
      {
        name: "lost",
        shows: onConnection(<LostConnection />, { status: "lost" }),
        says: ["Not live since 14:30:00.", "What you see may be old.", "trying now", "Try now"],
      },
      {
        name: "lost, without a database",
        shows: onConnection(<LostConnection />, { status: "lost", silent: "database" }),
        says: ["The database does not answer.", "What you see may be old."],
        lacks: ["The server does not answer."],
      },
      {
        name: "lost, without a server",
        shows: onConnection(<LostConnection />, { status: "lost", silent: "server" }),
        says: ["The server does not answer.", "What you see may be old."],
      },
      {
        name: "signed out",
        shows: onConnection(<LostConnection />, { status: "ended" }),
        says: ["You are signed out.", "Your session ended; what you see is not renewed and actions are off."],
        has: ['a[href^="/sign-in?next="]'],
        hasNot: ["button"],
      },
    ],
  },
  {
    name: "WhatIsDown",
    states: [
      { name: "everything runs", shows: onConnection(<WhatIsDown />), hasNot: ["*"] },
      {
        name: "a process and loops",
        shows: onPath("/outbox", onConnection(<WhatIsDown />, { down: DOWN })),
        says: [...DOWN.parts, ...DOWN.loops],
      },
      {
        name: "on the overview, which says the loops itself",
        shows: onPath("/", onConnection(<WhatIsDown />, { down: DOWN })),
        says: DOWN.parts,
        lacks: DOWN.loops,
      },
      { name: "nothing is heard", shows: onConnection(<WhatIsDown />, { down: DOWN, status: "lost" }), hasNot: ["*"] },
    ],
  },
  {
    name: "OutsideError",
    states: [
      {
        name: "without a database",
        shows: (
          <OutsideError
            error={Object.assign(new Error("secret"), { digest: "dependency.unavailable 0a1b2c3d" })}
            reset={() => undefined}
          />
        ),
        says: ["The database cannot be reached or did not answer in time.", "Error dependency.unavailable 0a1b2c3d."],
        lacks: ["secret"],
        has: ["main h1"],
      },
    ],
  },
  {
    name: "RouteError",
    states: [
      {
        name: "with the request that failed",
        shows: <RouteError error={Object.assign(new Error("secret"), { digest: "4711" })} reset={() => undefined} />,
        says: ["This page did not load.", "Reading it changed nothing. Error 4711.", "Try again"],
        lacks: ["secret"],
      },
      {
        name: "without",
        shows: <RouteError error={new Error("secret")} reset={() => undefined} />,
        lacks: ["Error", "secret"],
        has: ["h1"],
      },
    ],
  },
  {
    name: "Notice",
    states: [
      {
        name: "among others",
        shows: <Notice title="Nothing is unknown." />,
        says: ["Nothing is unknown."],
        hasNot: ["h1", "[role]"],
      },
      { name: "the whole page", shows: <Notice whole title="There is no such page." />, has: ["h1"] },
      {
        name: "announced",
        shows: <Notice announce tone="broken" title="Not done." />,
        has: ['[role="status"][data-tone="broken"]'],
      },
    ],
  },
  {
    name: "EmptiedPage",
    states: [
      {
        name: "leads to the first page under the same filter",
        shows: <EmptiedPage address={{ path: "/plans", search: { state: "ready", cursor: "c2" } }} />,
        says: ["There is no row on this page.", "First page"],
        has: ['a[href="/plans?state=ready"]'],
      },
    ],
  },
  {
    name: "PageProblem",
    states: [
      {
        name: "forbidden",
        shows: (
          <PageProblem title="Audit" what="The list" retryHref="/audit" problem={problem(403, "auth.forbidden")} />
        ),
        says: ["You do not have access to this.", "What you may do"],
        lacks: ["did not load", "Try again"],
      },
      {
        name: "no database",
        shows: (
          <PageProblem
            title="Audit"
            what="The list"
            retryHref="/audit"
            problem={problem(503, "dependency.unavailable")}
          />
        ),
        says: ["The list did not load.", "The database cannot be reached or did not answer in time.", "Try again"],
      },
      {
        name: "too slow",
        shows: (
          <PageProblem title="Audit" what="The list" retryHref="/audit" problem={problem(504, "dependency.timeout")} />
        ),
        says: ["The database took too long and the read was stopped."],
        lacks: ["cannot be reached", "on our side"],
      },
      {
        name: "no such place in the list",
        shows: (
          <PageProblem title="Audit" what="The list" retryHref="/audit" problem={problem(400, "validation.cursor")} />
        ),
        says: ["The address names no place in this list.", "Try again"],
        lacks: ["on our side", "The database"],
      },
      {
        name: "our failure",
        shows: <PageProblem title="Audit" what="The list" retryHref="/audit" problem={problem(500, "internal")} />,
        says: ["Reading it failed on our side.", "req-7"],
        lacks: ["The database"],
      },
    ],
  },
  {
    name: "LookedSoFar",
    states: [
      {
        name: "looked at everything",
        shows: <ScanLimitNotice list={{ rows: [], at: SAMPLE_NOW }} hrefOf={(cursor) => `?cursor=${cursor}`} />,
        hasNot: ["*"],
      },
      {
        name: "no match so far",
        shows: <ScanLimitNotice list={page([], "2026-11-22T13:00:00Z")} hrefOf={(cursor) => `?cursor=${cursor}`} />,
        says: ["No match among the 10,000 rows", "1 h ago"],
        has: ['a[href$="?cursor=c2"]'],
      },
      {
        name: "one match, sorted by amount",
        shows: <ScanLimitNotice list={page([1], "1250")} hrefOf={(cursor) => `?cursor=${cursor}`} />,
        says: ["1 match among"],
        lacks: ["1 matches", "as far as"],
      },
      {
        name: "several",
        shows: <ScanLimitNotice list={page([1, 2], "1250")} hrefOf={(cursor) => `?cursor=${cursor}`} />,
        says: ["2 matches among"],
      },
    ],
  },
];
