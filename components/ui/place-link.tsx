"use client";

import { Link } from "./link";
import type { ReactNode } from "react";
import { buttonLook, type ButtonLook } from "./button";
import { CopyText } from "./values/copy-text";
import { goToPlace, usePlace, type PlaceChange } from "./place";

interface PlaceLinkProps {
  readonly place: PlaceChange;
  readonly replace?: boolean | undefined;
  readonly plain?: boolean | undefined;
  readonly button?: ButtonLook | undefined;
  readonly children: ReactNode;
}

/** A link to another place of this page. Without script it reads the page anew, there. */
export function PlaceLink({ place, replace = false, plain, button, children }: PlaceLinkProps) {
  const href = usePlace().hrefOf(place);
  return (
    <Link
      href={href}
      {...(button === undefined ? { "data-plain": plain } : { ...buttonLook(button), "data-plain": true })}
      onNavigate={(event) => {
        event.preventDefault();
        goToPlace(href, replace ? "replace" : "push");
      }}
    >
      {children}
    </Link>
  );
}

interface DialogLinkProps extends ButtonLook {
  /** Value of `?dialog=` that opens it. */
  readonly dialog: string;
  readonly place?: PlaceChange | undefined;
  readonly children: ReactNode;
}

/** Looks like a button and opens a dialog of this page. */
export function DialogLink({ dialog, place, children, ...look }: DialogLinkProps) {
  return (
    <PlaceLink place={{ ...place, dialog }} button={look}>
      {children}
    </PlaceLink>
  );
}

/** Copies the address of another place of this page, with no dialog open. */
export function CopyPlace({ place, children }: { readonly place: PlaceChange; readonly children: string }) {
  return <CopyText text={usePlace().hrefOf({ dialog: undefined, ...place })}>{children}</CopyText>;
}
