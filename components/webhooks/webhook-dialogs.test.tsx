// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { inAppAt } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { EndpointDialogs, EventSourceDialogs } from "./webhook-dialogs";
import { sampleEndpoint, sampleSources, sampleWebhooks } from "./webhooks.samples";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const TYPES = ["payment.failed", "payment.succeeded", "refund.failed"];

/** Opens a dialog, changes its fields by their labels, presses its verb. @returns where it was sent, and what */
async function sentBy(
  shows: ReactElement,
  dialog: string,
  verb: string,
  fields: Readonly<Record<string, string | boolean>>,
): Promise<readonly [path: string, body: unknown]> {
  const sent = vi.fn((_path: string, _init: RequestInit) => Promise.resolve(Response.json({ message: "Done." })));
  vi.stubGlobal("fetch", sent);
  render(inAppAt(`dialog=${encodeURIComponent(dialog)}`, inLive(shows)));
  for (const [label, value] of Object.entries(fields)) {
    const field = screen.getByLabelText<HTMLInputElement>(label);
    if (typeof value === "string") fireEvent.change(field, { target: { value } });
    else if (field.checked !== value) fireEvent.click(field);
  }
  fireEvent.click(screen.getByRole("button", { name: verb }));
  await screen.findByText("Done.", { selector: "div" });
  const [path = "", init] = sent.mock.calls[0] ?? [];
  return [path, await new Response(init?.body).json()];
}

const REASON = "Reason, kept in the audit";
const ticked = (...on: readonly string[]) => Object.fromEntries(TYPES.map((type) => [type, on.includes(type)]));

describe("an endpoint", () => {
  const view = sampleWebhooks([sampleEndpoint({ types: ["refund.failed"], description: "the shop" })], {
    types: TYPES,
  });
  const dialogs = <EndpointDialogs view={view} />;
  const URL = "https://shop.example/hooks";

  it.each([
    { name: "all types", fields: {}, types: [] },
    {
      name: "some types",
      fields: ticked("payment.failed", "refund.failed"),
      types: ["payment.failed", "refund.failed"],
    },
    { name: "no type, which is all", fields: ticked(), types: [] },
  ])("is added with $name", async ({ fields, types }) => {
    const [path, body] = await sentBy(dialogs, "create", "Add 1 endpoint", { "Address, https only": URL, ...fields });
    expect(path).toBe("/api/v1/admin/webhook-endpoints");
    expect(body).toEqual({ url: URL, description: "", types });
  });

  it.each([
    { name: "as it is", fields: {}, types: ["refund.failed"] },
    { name: "to all types", fields: ticked(...TYPES), types: [] },
    { name: "to no type, which is all", fields: ticked(), types: [] },
  ])("is changed $name", async ({ fields, types }) => {
    const [path, body] = await sentBy(dialogs, "change:e1", "Change 1 endpoint", { [REASON]: " moved ", ...fields });
    expect(path).toBe("/api/v1/admin/webhook-endpoints/e1/change");
    expect(body).toEqual({ description: "the shop", reason: "moved", types });
  });
});

describe("an endpoint that is down", () => {
  const at = "2026-11-22T12:00:00.000000Z";
  const down = { since: at, nextTryAt: at, testing: false, failures: 5 };

  it("is sent one message as a test", async () => {
    const view = sampleWebhooks([sampleEndpoint({ waiting: 3, down })]);
    render(inAppAt("dialog=test%3Ae1", inLive(<EndpointDialogs view={view} />)));
    expect(screen.getByRole("heading").textContent).toBe("Send 1 message as a test now?");
    expect(screen.getByText("The other messages wait until a test is accepted.")).toBeTruthy();
    cleanup();
    const [path, body] = await sentBy(<EndpointDialogs view={view} />, "test:e1", "Send 1 message", {
      [REASON]: "it is back",
    });
    expect([path, body]).toEqual(["/api/v1/admin/webhook-endpoints/e1/test", { reason: "it is back" }]);
  });

  it.each([
    ["A test is under way.", sampleEndpoint({ waiting: 3, down: { ...down, testing: true } })],
    ["No message waits for it.", sampleEndpoint({ down })],
    ["It is not down.", sampleEndpoint({ waiting: 3 })],
  ])("or not: %s", (why, one) => {
    render(inAppAt("dialog=test%3Ae1", inLive(<EndpointDialogs view={sampleWebhooks([one])} />)));
    expect(screen.getByText(why)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Send 1 message" }).disabled).toBe(true);
  });
});

describe("a secret of a source", () => {
  const dialogs = <EventSourceDialogs view={sampleSources([])} />;
  const SOURCE = "Source, as in POST /events/{source}";
  const SECRET = "Secret from the sender; leave it empty to create one, which is shown once";

  it("is not sent while it is empty: one is made", async () => {
    const [path, body] = await sentBy(dialogs, "source", "Add 1 secret", { [SOURCE]: "bank", [REASON]: "new" });
    expect(path).toBe("/api/v1/admin/event-sources");
    expect(body).toEqual({ source: "bank", reason: "new" });
  });

  it("is sent as the sender gave it", async () => {
    const fields = { [SOURCE]: "bank", [SECRET]: " whsec_c2VjcmV0 ", [REASON]: "new" };
    const [, body] = await sentBy(dialogs, "source", "Add 1 secret", fields);
    expect(body).toEqual({ source: "bank", secret: "whsec_c2VjcmV0", reason: "new" });
  });
});
