"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Button } from "@/components/ui/button";
import { READ_FAILURES } from "@/presentation/format/read-failures";
import { Notice } from "./notice";

export interface RouteErrorProps {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}

/** What stands in the place of a page that could not be read. The text of the error stays on the server. */
export function RouteError({ error, reset }: RouteErrorProps) {
  const router = useRouter();
  const [waiting, startTransition] = useTransition();
  // What failed below a page has its code in front (app/_server/attempt.ts).
  const why = READ_FAILURES[error.digest?.split(" ")[0] ?? ""];
  const again = (): void => {
    startTransition(() => {
      router.refresh();
      reset();
    });
  };
  return (
    <Notice
      tone="broken"
      announce
      whole
      title="This page did not load."
      text={
        <>
          {why} {error.digest ? `Reading it changed nothing. Error ${error.digest}.` : "Reading it changed nothing."}
        </>
      }
      actions={
        <Button small onClick={again} disabled={waiting}>
          Try again
        </Button>
      }
    />
  );
}
