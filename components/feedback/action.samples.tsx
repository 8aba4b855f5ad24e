import type { Part } from "@/components/parts/part";
import { onConnection } from "@/components/parts/live-samples";
import { useEffect } from "react";
import { ActionAnswerView } from "./action-answer";
import { ActionDialog, type ActionDialogProps } from "./action-dialog";
import { DialogField, type ActionField } from "./dialog-field";
import { DoneKeeper, DoneLine, useDoneLine } from "./done-line";
import { DecisionBox, DecisionEnd, DecisionHead, Lean } from "./decision-box";
import { StepUp } from "./step-up";
import type { ActionState, AdminAction } from "./use-admin-action";

/** An action whose answer came; it sends nothing. */
export function answeredAction(answer: ActionState | undefined, busy = false): AdminAction {
  const nothing = (): Promise<undefined> => Promise.resolve(undefined);
  return { busy, answer, whyOff: undefined, begin: () => undefined, confirm: nothing, send: nothing };
}

const ask = (...by: readonly string[]): AdminAction =>
  answeredAction({ kind: "confirm", message: "Confirm your identity.", by });

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

/** Keeps an answer, as a dialog does that is left. */
function Said({ message }: { readonly message: string }) {
  const keep = useDoneLine();
  useEffect(() => {
    keep?.(message);
  }, [keep, message]);
  return null;
}

export const actionParts: readonly Part[] = [
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
        name: "it was so before",
        shows: <ActionAnswerView answer={{ kind: "done", message: "Nothing changed. It was revoked before." }} />,
        says: ["Nothing changed.", "It was revoked before."],
        lacks: ["Done."],
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
        name: "the server failed: it may have been done",
        shows: (
          <ActionAnswerView
            answer={{ kind: "refused", message: "This was not answered in time.", requestId: "req-8", open: true }}
          />
        ),
        says: ["Not known to be done.", "This was not answered in time. It may have been done.", "Request req-8"],
        lacks: ["Not done."],
        has: ['[data-tone="doubt"]'],
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
        says: ["It may have been done. Press again: the same key is sent, so it acts at most once."],
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
        says: ["Sign out and in again: signing in confirms your identity."],
        lacks: ["Nothing was done"],
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
];
