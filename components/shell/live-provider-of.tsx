"use client";

import { use } from "react";
import { LiveProvider, type LiveProviderProps } from "./live-provider";

interface LiveProviderOfProps extends Omit<LiveProviderProps, "initial"> {
  /** Settles, and never fails. */
  readonly initial: Promise<LiveProviderProps["initial"]>;
}

/** The provider of a rendering whose counts are still being read: what is inside it is rendered meanwhile. */
export function LiveProviderOf({ initial, ...rest }: LiveProviderOfProps) {
  return <LiveProvider initial={use(initial)} {...rest} />;
}
