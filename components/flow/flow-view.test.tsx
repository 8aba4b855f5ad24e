// @vitest-environment happy-dom
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { sampleFlow } from "./flow-facts.samples";
import { FlowView } from "./flow-view";

afterEach(cleanup);

const LATE = { waiting: 4, oldestMs: 900_000 };

it("the drawing says what it shows and where it stands as tables, and the tables begin with what is late", () => {
  const flow = sampleFlow({
    topics: {
      accounts: { rate: 9, from: { "accounts.open": 9 } },
      payments: { rate: 1, from: { "payments.create": 1 }, ...LATE },
    },
    consumers: {
      receipts: { rate: 9, from: { accounts: 9 } },
      ledger: { rate: 1, from: { payments: 1 }, ...LATE },
    },
  });
  render(
    inApp(
      inLive(
        <FlowView
          flow={flow}
          detail={undefined}
          address={{ path: "/flow", search: {} }}
          whyNot={{ outbox: undefined, inbox: undefined }}
        />,
      ),
    ),
  );
  const drawing = screen.getByRole("group", { name: "Flow of messages" });
  expect(drawing.getAttribute("aria-description")).toBe(
    "From operations to topics, to consumers and endpoints, to the ledger. The tables below have topics, consumers and endpoints, late first.",
  );
  const firstOf = (table: string) =>
    within(screen.getByRole("table", { name: table })).getAllByRole("row")[1]?.textContent;
  expect(firstOf("Consumers and endpoints")).toContain("ledger");
  expect(firstOf("Topics")).toContain("payments");
});
