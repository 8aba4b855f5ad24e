"use client";

import { OutsideFrame } from "./outside-frame";
import { RouteError, type RouteErrorProps } from "../route-error";

/** Where not even the frame of the console could be read, as while the database is down. */
export function OutsideError(props: RouteErrorProps) {
  return (
    <OutsideFrame>
      <RouteError {...props} />
    </OutsideFrame>
  );
}
