import type { ReactElement, ReactNode } from "react";
import { LiveContext, type Live } from "@/components/shell/live-provider";
import { SAMPLE_LIVE } from "./live-samples";

/** For samples of what asks how fresh the page is. */
export function inLive(shows: ReactNode, changes: Partial<Live> = {}): ReactElement {
  return <LiveContext value={{ ...SAMPLE_LIVE, ...changes }}>{shows}</LiveContext>;
}
