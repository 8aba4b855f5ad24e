import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import { onConnection } from "@/components/parts/live-samples";
import { useEffect } from "react";
import { ActionAnswerView } from "./action-answer";
import { ActionDialog, type ActionDialogProps } from "./action-dialog";
import { DialogField, type ActionField } from "./dialog-field";
import { DoneKeeper, DoneLine, useDoneLine } from "./done-line";
import { ListProblem } from "./list-problem";
import { LoadingRows } from "./loading-rows";
import { LostConnection } from "./lost-connection";
import { RouteError } from "./route-error";
import { DecisionBox, DecisionEnd, DecisionHead, Lean } from "./decision-box";
import { ScanLimitNotice } from "./scan-limit-notice";
import { Notice } from "./notice";
import { PageProblem } from "./page-problem";
import { StepUp } from "./step-up";
import type { ActionState, AdminAction } from "./use-admin-action";

/** An action whose answer came; it sends nothing. */
export function answeredAction(answer: ActionState | undefined, busy = false): AdminAction {
  const nothing = (): Promise<undefined> => Promise.resolve(undefined);
  return { busy, answer, whyOff: undefined, begin: () => undefined, confirm: nothing, send: nothing };
}

const ask = (...by: readonly string[]): AdminAction =>
  answeredAction({ kind: "confirm", message: "Confirm your identity.", by });
const problem = (status: number, code: string) => ({
  error: { status, code, message: "Your role may not read this." },
  requestId: "req-7",
});
const page = (rows: readonly unknown[], until: string) => ({
  rows,
  at: SAMPLE_NOW,
  looked: { rows: 10_000, until, further: "c2" },
});

const dialog = (changes: Partial<ActionDialogProps>, whyOff?: string) =>
  onConnection(
    <ActionDialog
      name="close"
      title="Close 1 message?"
      effect="It is closed."
      notDone="Nothing is sent."
      verb="Close 1 message"
      path="/api/v1/admin/nothing"
      {...changes}
    />,
    { whyOff },
  );
const field = (changes: Partial<ActionField>) => (
  <DialogField field={{ name: "field", label: "What", kind: "text", ...changes }} />
);
const OPTIONS = [
  { value: "a", label: "One", note: "The usual one" },
  { value: "b", label: "Other", note: "You need a role.", off: true },
];
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

/** Keeps an answer, as a dialog does that is left. */
function Said({ message }: { readonly message: string }) {
  const keep = useDoneLine();
  useEffect(() => {
    keep?.(message);
  }, [keep, message]);
  return null;
}

export const feedbackParts: readonly Part[] = [
  {
    name: "ActionDialog",
    states: [
      { name: "the address names another one", search: "dialog=other", shows: dialog({}), hasNot: ["form"] },
      {
        name: "open",
        search: "dialog=close",
        shows: dialog({}),
        says: ["Close 1 message?", "None of 1.", "A second click changes nothing.", "Reason, kept in the audit"],
        lacks: ["Evidence"],
        has: ["dialog[open]", "textarea[required]"],
      },
      {
        name: "with its evidence, and a reason that may be left out",
        search: "dialog=close",
        shows: dialog({ evidence: "It was delivered.", skipped: "2 of 3.", reason: "optional" }),
        says: ["Evidence", "It was delivered.", "2 of 3."],
        has: ["textarea:not([required])"],
      },
      { name: "without a reason", search: "dialog=close", shows: dialog({ reason: "none" }), hasNot: ["textarea"] },
      {
        name: "not offered",
        search: "dialog=close",
        shows: dialog({ notOffered: "It is closed already." }),
        says: ["It is closed already."],
        lacks: ["A second click"],
        off: ["Close 1 message"],
      },
      {
        name: "the connection is lost",
        search: "dialog=close",
        shows: dialog({}, "The connection is lost."),
        says: ["The connection is lost."],
        off: ["Close 1 message"],
      },
    ],
  },
  {
    name: "DialogField",
    states: [
      { name: "text", shows: field({ placeholder: "line 7" }), has: ['input[placeholder="line 7"][maxlength="300"]'] },
      { name: "longer text", shows: field({ kind: "textarea", maxLength: 500 }), has: ['textarea[maxlength="500"]'] },
      {
        name: "any of some",
        shows: field({ kind: "boxes", options: OPTIONS, ticked: ["a"] }),
        says: ["One", "Other"],
        has: ['[type="checkbox"][value="a"][checked]', '[type="checkbox"][value="b"]:not([checked])'],
      },
      {
        name: "one of some, one not offered",
        shows: field({ kind: "radio", options: OPTIONS, initial: "a" }),
        says: ["You need a role."],
        has: ['[value="a"][checked]', "label[data-off] small"],
        off: ["b"],
      },
      {
        name: "one of many",
        shows: field({ kind: "select", options: OPTIONS }),
        lacks: ["The usual one"],
        has: ["option[disabled]"],
      },
    ],
  },
  {
    name: "DoneLine",
    states: [
      {
        name: "nothing was done",
        shows: (
          <DoneKeeper>
            <DoneLine />
          </DoneKeeper>
        ),
        lacks: ["Done"],
        hasNot: ["button"],
      },
      {
        name: "what was done stays",
        shows: (
          <DoneKeeper>
            <DoneLine />
            <Said message="1 settled." />
          </DoneKeeper>
        ),
        says: ["Done: 1 settled.", "Dismiss"],
      },
    ],
  },
  {
    name: "ListProblem",
    states: [
      {
        name: "too broad to be quick",
        shows: listProblem("dependency.timeout"),
        says: ["It looked at 7 days of conflicts", "Last hour"],
        lacks: ["Try again"],
      },
      {
        name: "anything else",
        shows: listProblem("dependency.unavailable"),
        says: ["The list did not load.", "Try again"],
        lacks: ["Last hour"],
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
        name: "signed out",
        shows: onConnection(<LostConnection />, { status: "ended" }),
        says: ["You are signed out."],
        has: ['a[href^="/sign-in?next="]'],
        hasNot: ["button"],
      },
    ],
  },
  {
    name: "RouteError",
    states: [
      {
        name: "with the request that failed",
        shows: <RouteError error={Object.assign(new Error("secret"), { digest: "4711" })} reset={() => undefined} />,
        says: ["Nothing was changed. Request 4711.", "Try again"],
        lacks: ["secret"],
      },
      {
        name: "without",
        shows: <RouteError error={new Error("secret")} reset={() => undefined} />,
        lacks: ["Request", "secret"],
        has: ["h1"],
      },
    ],
  },
  {
    name: "ActionAnswerView",
    states: [
      { name: "nothing was asked", shows: <ActionAnswerView answer={undefined} />, hasNot: ["*"] },
      {
        name: "done",
        shows: <ActionAnswerView answer={{ kind: "done", message: "1 settled." }} />,
        says: ["Done.", "1 settled."],
        has: ['[role="status"][data-tone="plain"]'],
      },
      {
        name: "the second click",
        shows: (
          <ActionAnswerView answer={{ kind: "already", message: "1 settled.", doneBefore: "2026-11-22T14:43:07Z" }} />
        ),
        says: ["Already done.", "first click at 14:43:07", "Nothing ran twice."],
      },
      {
        name: "refused",
        shows: <ActionAnswerView answer={{ kind: "refused", message: "It is settled.", requestId: "req-7" }} />,
        says: ["Not done.", "It is settled.", "Request req-7"],
        has: ['[data-tone="broken"]'],
      },
      {
        name: "refused before it was sent",
        shows: <ActionAnswerView answer={{ kind: "refused", message: "Nothing was sent.", requestId: undefined }} />,
        lacks: ["Request"],
      },
      {
        name: "proof is wanted elsewhere",
        shows: <ActionAnswerView answer={{ kind: "confirm", message: "Prove it.", by: [] }} />,
        hasNot: ["*"],
      },
      {
        name: "no answer",
        shows: <ActionAnswerView answer={{ kind: "no-answer" }} />,
        says: ["It may have been done.", "it acts once"],
        has: ['[data-tone="doubt"]'],
      },
    ],
  },
  {
    name: "StepUp",
    states: [
      {
        name: "nothing is asked",
        shows: <StepUp action={answeredAction({ kind: "no-answer" })} verb="Settle" />,
        hasNot: ["*"],
      },
      {
        name: "by password",
        shows: <StepUp action={ask("password")} verb="Settle" />,
        says: ["Your password", "Confirm: Settle"],
        lacks: ["Use a code instead"],
        has: ['input[type="password"]'],
      },
      {
        name: "by code",
        shows: <StepUp action={ask("code")} verb="Settle" />,
        says: ["Code of your authenticator"],
        lacks: ["Use the password instead"],
        has: ['input[type="text"]'],
      },
      {
        name: "by either",
        shows: <StepUp action={ask("code", "password")} verb="Settle" />,
        says: ["Your password", "Use a code instead"],
      },
      {
        name: "only by signing in",
        shows: <StepUp action={ask("oidc")} verb="Settle" />,
        says: ["Sign out and in again"],
        hasNot: ["input"],
      },
      {
        name: "waits",
        shows: <StepUp action={{ ...ask("password"), busy: true }} verb="Settle" />,
        says: ["Waiting for the answer"],
        off: ["Waiting for the answer"],
      },
    ],
  },
  {
    name: "DecisionBox",
    states: [
      {
        name: "whole",
        shows: (
          <DecisionBox tone="doubt" label="Settle" right={<DecisionHead>Decide</DecisionHead>}>
            <Lean>It leans to success.</Lean>
          </DecisionBox>
        ),
        has: ['section[data-tone="doubt"]:not([data-single])'],
      },
      {
        name: "one half, with its end",
        shows: (
          <DecisionBox tone="accent" label="Change">
            <DecisionEnd id="sample-end" off={false} note="Nothing is sent." answer="Done.">
              {null}
            </DecisionEnd>
          </DecisionBox>
        ),
        says: ["Reason, kept in the audit", "Nothing is sent.", "Done."],
        has: ["section[data-single]", "textarea[required]"],
      },
      {
        name: "its end, off",
        shows: (
          <DecisionEnd id="sample-end-off" off note="You need a role.">
            {null}
          </DecisionEnd>
        ),
        off: ["Reason, kept in the audit"],
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
        says: ["The list did not load.", "The database does not answer.", "Try again"],
      },
      {
        name: "too slow",
        shows: (
          <PageProblem title="Audit" what="The list" retryHref="/audit" problem={problem(504, "dependency.timeout")} />
        ),
        says: ["took too long"],
      },
      {
        name: "our failure",
        shows: <PageProblem title="Audit" what="The list" retryHref="/audit" problem={problem(500, "internal")} />,
        says: ["failed on our side", "req-7"],
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
