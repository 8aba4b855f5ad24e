// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, expect, it } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import type { ReferenceSearch } from "@/presentation/views/references";
import { CHARGED, CHARGED_AGAIN, IN_DOUBT, sampleReference } from "./reference-facts.samples";
import { NoReference, ReferenceView } from "./reference-view";
import { ReferencesView } from "./references-view";
import { UprightChart } from "./upright-chart";

afterEach(cleanup);

function textOf(shows: ReactElement): string {
  cleanup();
  render(inApp(inLive(shows)));
  return document.body.textContent;
}

it("a reference that was not found is of a customer only where one was named", () => {
  const OF_ALL = "No payment key carries this reference.";
  const OF_ONE = "No payment key of this customer was found with it.";
  expect(textOf(<NoReference reference="order-0" />)).toContain(OF_ALL);
  expect(textOf(<NoReference reference="order-0" />)).not.toContain(OF_ONE);
  expect(textOf(<NoReference reference="order-0" customer="acc_1" />)).toContain(OF_ONE);
  expect(textOf(<NoReference reference="order-0" customer="acc_1" />)).not.toContain(OF_ALL);
});

it("a search that was stopped says so, and names a day where none was", () => {
  const stopped = { kind: "too_broad", stoppedAfterSeconds: 10 } as const;
  const found = { kind: "found", hits: [], more: false } as const;
  const search = (result: ReferenceSearch, day?: string) =>
    textOf(<ReferencesView asked={{ customer: "acc_1", day }} problems={[]} found={result} />);
  const TOO_LONG = "This search took too long.";
  const A_DAY = "A day makes it narrower.";
  expect(search(stopped)).toContain(TOO_LONG);
  expect(search(stopped)).toContain(A_DAY);
  expect(search(stopped, "2026-11-19")).toContain(TOO_LONG);
  expect(search(stopped, "2026-11-19")).not.toContain(A_DAY);
  expect(search(found)).not.toContain(TOO_LONG);
});

it.each([
  { name: "charged", payments: [CHARGED] },
  { name: "charged twice", payments: [CHARGED, CHARGED_AGAIN] },
  { name: "in doubt", payments: [IN_DOUBT] },
])("a reference that is $name offers no charge", ({ payments }) => {
  textOf(<ReferenceView view={sampleReference({ payments, reversals: [] }, "admin")} />);
  const [row, ...more] = [...document.querySelectorAll("li")].filter(({ textContent }) =>
    /charge again/i.test(textContent),
  );
  if (row === undefined) throw new Error("no such row");
  expect(more).toEqual([]);
  expect(row.textContent).toContain("Never offered here.");
  expect(within(row).queryByRole("link")).toBeNull();
  expect(within(row).queryByRole("button")).toBeNull();
});

it("the chart of a phone counts what it leaves to the table", () => {
  const view = sampleReference();
  const [event] = view.events;
  if (event === undefined) throw new Error("no event");
  const of = (count: number) => ({
    ...view,
    events: Array.from({ length: count }, (_, n) => ({ ...event, id: `e${String(n)}` })),
  });
  const LEFT = ", in the table below.";
  expect(textOf(<UprightChart view={of(60)} />)).not.toContain(LEFT);
  expect(textOf(<UprightChart view={of(62)} />)).toContain(`2 more events${LEFT}`);
  textOf(<ReferenceView view={of(62)} />);
  fireEvent.click(screen.getByRole("button", { name: "and 56 more" }));
  expect(document.querySelectorAll("#events tbody tr")).toHaveLength(62);
});
