import { createElement, type ReactElement, type ReactNode } from "react";
import { LiveContext, type Live } from "@/components/shell/live-provider";
import { SAMPLE_NOW } from "./part";

const nothing = (): void => undefined;

/** A live connection on which nothing is new. */
export const SAMPLE_LIVE: Live = {
  status: "live",
  at: SAMPLE_NOW,
  heardAt: undefined,
  counts: {},
  onPage: {},
  tenant: "acme",
  newer: 0,
  source: undefined,
  filtered: false,
  whyOff: undefined,
  silent: undefined,
  down: { parts: [], loops: [] },
  nextTryAt: undefined,
  retry: nothing,
  toggle: nothing,
  show: nothing,
  follow: nothing,
};

/** A part on a connection like this. */
export function onConnection(shows: ReactNode, changes: Partial<Live> = {}): ReactElement {
  return createElement(LiveContext, { value: { ...SAMPLE_LIVE, ...changes } }, shows);
}
