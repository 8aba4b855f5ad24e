import { ButtonLink } from "@/components/ui/button";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { EmptyState } from "./notice";

/** A later page of a list that has no row left. What it lacks says nothing of the pages before it. */
export function EmptiedPage({ address }: { readonly address: PageAddress }) {
  return (
    <EmptyState
      title="There is no row on this page."
      actions={
        <ButtonLink small href={hrefWith(address, { cursor: undefined, dialog: undefined })}>
          First page
        </ButtonLink>
      }
    />
  );
}
