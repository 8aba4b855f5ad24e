import type { Metadata } from "next";
import { EmptyState } from "@/components/feedback/notice";
import { ButtonLink } from "@/components/ui/button";

export const metadata: Metadata = { title: "Nothing here" };

/** An address that leads nowhere, or to something of another tenant: the two look the same. */
export default function NotFound() {
  return (
    <EmptyState
      whole
      title="Not found."
      text="The address is wrong, what it names is gone, or it belongs to another tenant."
      actions={
        <>
          <ButtonLink small href="/find">
            Find a key, id or reference
          </ButtonLink>
          <ButtonLink small href="/">
            Overview
          </ButtonLink>
        </>
      }
    />
  );
}
