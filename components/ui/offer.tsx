import type { ComponentProps } from "react";
import { Button } from "./button";
import { DialogLink } from "./place-link";

interface OfferProps extends Omit<ComponentProps<typeof DialogLink>, "place"> {
  /** Why this person, or the state of the thing, does not allow it. */
  readonly notOffered: string | undefined;
}

/** Opens a dialog; where that is not offered it stays visible, off, with its reason. */
export function Offer({ notOffered, dialog, children, ...look }: OfferProps) {
  if (notOffered === undefined) {
    return (
      <DialogLink dialog={dialog} {...look}>
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
