// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { SAMPLE_NOW } from "@/components/parts/part";
import { sampleRetention } from "./retention.samples";
import { RetentionView } from "./retention-view";

afterEach(cleanup);

function textOf(view: ReturnType<typeof sampleRetention>, search: Readonly<Record<string, string>> = {}): string {
  cleanup();
  render(inApp(inLive(<RetentionView view={view} address={{ path: "/retention", search }} />)));
  return document.body.textContent;
}

it("says that the preview was stopped only where it was", () => {
  const STOPPED = "The preview took too long and was stopped.";
  expect(textOf(sampleRetention({ tooBroad: true }))).toContain(STOPPED);
  expect(textOf(sampleRetention())).not.toContain(STOPPED);
  expect(textOf(sampleRetention({ atLeast: true }))).not.toContain(STOPPED);
});

it("says that the sizes could not be read only where none came", () => {
  const UNREAD = "The sizes could not be read in time.";
  expect(textOf(sampleRetention())).toContain(UNREAD);
  const tables = [{ name: "inbox_arrivals", days: 7, bytes: "1024" }];
  expect(textOf(sampleRetention({}, { tables }))).not.toContain(UNREAD);
});

it("says that no run is on record only on the first page, and where none is listed", () => {
  const NONE = "No run is on record.";
  expect(textOf(sampleRetention())).toContain(NONE);
  expect(textOf(sampleRetention(), { cursor: "older" })).not.toContain(NONE);
  const run = { id: "1", at: SAMPLE_NOW, actor: "Ada", kind: "purge_bodies", rows: 0, bytes: "0", detail: {} };
  expect(textOf(sampleRetention({}, { runs: { rows: [run], at: SAMPLE_NOW } }))).not.toContain(NONE);
});
