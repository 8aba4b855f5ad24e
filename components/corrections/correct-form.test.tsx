// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inAppAt } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { CorrectForm } from "./correct-form";
import { CorrectView } from "./correct-view";
import { dead, DOUBT } from "./correction-facts.samples";

const BODY = '{"id":"m1","type":"t","data":{"amount":10.50}}';
const sent: { readonly path: string; readonly body: Record<string, unknown> }[] = [];

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal("fetch", (path: string, init: { readonly body: string }) => {
    sent.push({ path, body: JSON.parse(init.body) as Record<string, unknown> });
    const answer = path.endsWith("/reveal") ? { body: BODY } : { message: "Nothing is sent yet." };
    return Promise.resolve(Response.json(answer));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function open(): Promise<HTMLTextAreaElement> {
  render(inAppAt("", inLive(<CorrectForm messageId="m1" operationId={undefined} notOffered={undefined} />)));
  fireEvent.change(screen.getByLabelText("Reason, kept in the audit"), { target: { value: "a wrong amount" } });
  fireEvent.submit(screen.getByRole("form"));
  return screen.findByLabelText<HTMLTextAreaElement>("Corrected body, JSON");
}
const ask = () => screen.getByRole<HTMLButtonElement>("button", { name: "Ask for approval" });

it("a page that does not offer it says why once", () => {
  render(inAppAt("", inLive(<CorrectView message={dead(DOUBT)} />)));
  expect(document.body.textContent.split(DOUBT)).toHaveLength(2);
});

describe("the editor of a dead message", () => {
  it("shows the body for a reason, every digit as it is stored", async () => {
    const body = await open();
    expect(sent).toEqual([{ path: "/api/v1/admin/outbox/m1/reveal", body: { reason: "a wrong amount" } }]);
    expect(body.value).toContain("10.50");
    expect(ask().disabled).toBe(true);
  });

  it("says live what differs, and what cannot be sent", async () => {
    const body = await open();
    fireEvent.change(body, { target: { value: BODY.replace("10.50", '"10.50"') } });
    await screen.findByText("1 field differs.");
    expect(screen.getByText("data.amount")).toBeTruthy();
    expect(ask().disabled).toBe(false);
    fireEvent.change(body, { target: { value: "{" } });
    await screen.findByText(/This is not valid JSON/);
    expect(body.getAttribute("aria-invalid")).toBe("true");
    expect(ask().disabled).toBe(true);
    fireEvent.change(body, { target: { value: BODY.replace("m1", "m2") } });
    await screen.findByText(
      "What names a message or its operation stays as it is, and of an event all but its data. id.",
    );
    expect(ask().disabled).toBe(true);
  });

  it("asks for approval with the whole body and the reason", async () => {
    const body = await open();
    const text = BODY.replace("10.50", "10.51");
    fireEvent.change(body, { target: { value: text } });
    await screen.findByText("1 field differs.");
    fireEvent.submit(screen.getByRole("form"));
    await waitFor(() => {
      expect(sent.at(-1)).toEqual({
        path: "/api/v1/admin/outbox/m1/correct",
        body: { body: text, reason: "a wrong amount" },
      });
    });
    await screen.findByText("Nothing is sent yet.");
    fireEvent.click(screen.getByRole("button", { name: "Undo all changes" }));
    expect(body.value).toContain("10.50");
  });
});
