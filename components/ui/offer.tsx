import type { ComponentProps } from "react";
import type { ActionView } from "@/presentation/views/common";
import { Button } from "./button";
import { DialogLink } from "./place-link";

interface OfferProps extends ComponentProps<typeof DialogLink> {
  /** Why this person, or the state of the thing, does not allow it. */
  readonly notOffered: string | undefined;
}

/** @returns why an action is not offered; undefined when it is */
export function disabledReason({ allowed, whyNot }: ActionView): string | undefined {
  return allowed ? undefined : (whyNot ?? "Not offered now.");
}

/** Opens a dialog; where that is not offered it stays visible, off, with its reason. */
export function Offer({ notOffered, dialog, place, children, ...look }: OfferProps) {
  if (notOffered === undefined) {
    return (
      <DialogLink dialog={dialog} place={place} {...look}>
        {children}
      </DialogLink>
    );
  }
  return (
    <Button notOffered={notOffered} {...look}>
      {children}
    </Button>
  );
}
