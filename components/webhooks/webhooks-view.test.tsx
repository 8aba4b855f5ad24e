// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { sampleEndpoint, sampleSecret, sampleSources, sampleWebhooks } from "./webhooks.samples";
import { WebhooksView } from "./webhooks-view";

afterEach(cleanup);

const LATER = "2026-11-22T15:30:00.000000Z";

function textOf(
  ...[view, sources]: readonly [Parameters<typeof sampleWebhooks>[0], Parameters<typeof sampleSources>[0]]
) {
  cleanup();
  render(inApp(inLive(<WebhooksView view={sampleWebhooks(view)} sources={sampleSources(sources)} />)));
  return document.body.textContent;
}

it("says that no endpoint receives events only where there is none, not of one that is disabled", () => {
  const NONE = "No endpoint receives events.";
  expect(textOf([], [])).toContain(NONE);
  expect(textOf([sampleEndpoint()], [])).not.toContain(NONE);
  expect(textOf([sampleEndpoint({ disabled: { at: LATER } })], [])).not.toContain(NONE);
});

it("says that no source has a secret only where none is listed", () => {
  const NONE = "No source has a secret of its own.";
  expect(textOf([], [])).toContain(NONE);
  expect(textOf([], [sampleSecret()])).not.toContain(NONE);
});
