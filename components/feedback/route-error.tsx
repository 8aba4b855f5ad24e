"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "./notice";

export interface RouteErrorProps {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}

/** What stands in the place of a page that could not be read. The text of the error stays on the server. */
export function RouteError({ error, reset }: RouteErrorProps) {
  const router = useRouter();
  const [waiting, startTransition] = useTransition();
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
      text={error.digest ? `Reading it changed nothing. Error ${error.digest}.` : "Reading it changed nothing."}
      actions={
        <Button small onClick={again} disabled={waiting}>
          Try again
        </Button>
      }
    />
  );
}
