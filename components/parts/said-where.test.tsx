// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { AREAS } from "./all";
import { inApp } from "./in-app";

/** Of a part: in which of its states it says what, and in no other. */
const SAID: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  AttemptsSection: { "Its lease ran out before it ended, and it was taken over.": ["lost"] },
  PlaceErrors: { "No open message has an error.": ["none"] },
  PlacesView: { "No topic is listed.": ["no topic"], "No consumer is listed.": ["no consumer"] },
  MessagesBeside: {
    "This message is not here. It was purged, its address is wrong, or it belongs to another tenant.": ["gone"],
  },
  OutboxView: {
    "This search took too long.": [
      "a search that is too wide",
      "open ones that could not be read in time: no time narrows them",
    ],
  },
  MeasureChart: {
    "No answer is in the roll-ups of this time.": ["nothing was answered"],
    "No value in this time.": ["nothing was measured, with a threshold and a list"],
  },
  MetricsView: { "No data before that.": ["nobody chose a time, and there is little data yet"] },
  MessagesSection: { "No message is on record.": ["none"] },
  RequestsSection: { "No answer is on record.": ["nobody was answered"] },
  CommandSection: { "The body is stored, but it could not be opened here.": ["no key opens it"] },
  OperationsView: {
    "This search took too long.": ["days, and not in time", "hours, and not in time", "everything, and not in time"],
    "No operation is kept.": ["nothing is kept"],
    "A valid request with an Idempotency-Key, to POST /api/v1/payments for example, shows here.": ["nothing is kept"],
    "The row you open shows here: what happened, from key to ledger.": [
      "the only one",
      "two, the smallest first",
      "more follow, the last to expire first",
      "the open one is gone",
    ],
    "A longer time may hold one.": [
      "none in the last hour, which begins after the count",
      "none in the last day",
      "none of several filters, one of them not understood",
      "none of a time of its own",
    ],
    "Older ones may have been purged.": ["none of one filter in all that is kept"],
  },
  OverviewView: {
    "Nothing is unknown. What is still in progress is not counted here.": [
      "counted, and nobody came",
      "new: nothing has happened",
      "dead letters",
      "the outbox stands still",
      "one endpoint is late",
      "a stale lease comes before dead letters",
      "invariants in each state",
      "an invariant that was never run beside one that was",
      "loops that stopped, with the answers as a table",
      "all loops beat",
    ],
    "None of what is in doubt now began in this window.": ["in doubt, of which none began in the window"],
  },
  LookUpProgress: { "Waits for a worker.": ["no worker has begun"] },
  PlanItems: { "No row of this plan matches.": ["none in this view", "ended before they were reached"] },
  PlansView: {
    "The plans did not load in time.": ["not in time"],
    "No plan is kept.": ["none is kept"],
    "Plans are made on the dead letters, operations and unknown and stale pages, from a filter or a selection; a correction on the page of its message.":
      ["none is kept", "none in this state"],
  },
  PoliciesView: {
    "Nothing: no setting differs, and this tenant set none.": [
      "all as the deployment decided",
      "with operations of a service",
      "a risk of the deployment, alike for all",
    ],
  },
};

const PARTS = AREAS.flatMap(({ parts }) => parts);

describe.each(Object.entries(SAID))("%s", (part, sentences) => {
  it("says in these of its states, and in no other, that something is empty, missing or was stopped", () => {
    const said: Record<string, string[]> = Object.fromEntries(Object.keys(sentences).map((words) => [words, []]));
    for (const { name: state, shows, search = "" } of PARTS.find(({ name }) => name === part)?.states ?? []) {
      window.history.replaceState(null, "", search === "" ? "/" : `/?${search}`);
      const text = render(inApp(shows)).container.textContent.replaceAll(/\s+/g, " ");
      for (const [words, where] of Object.entries(said)) if (text.includes(words)) where.push(state);
      cleanup();
    }
    expect(said).toEqual(sentences);
  });
});
