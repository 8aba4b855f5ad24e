"use client";

import { lazy, Suspense } from "react";
import type { RouteErrorProps } from "../route-error";

/** Every page has this script, and hardly one ever needs what it shows. */
const FramedError = lazy(async () => ({ default: (await import("./framed-error")).FramedError }));

/** Where not even the frame of the console could be read, as while the database is down. */
export function OutsideError(props: RouteErrorProps) {
  return (
    <Suspense>
      <FramedError {...props} />
    </Suspense>
  );
}
