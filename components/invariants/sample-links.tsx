import { Link } from "@/components/ui/link";
import { cutMiddle } from "@/presentation/format/cut-middle";
import type { InvariantRow } from "@/domain/checks/rows";

interface SampleLinksProps {
  readonly samples: InvariantRow["samples"];
  readonly className?: string | undefined;
}

/** The first things that a check found wrong. A chain that lost its entries has none to name: its head is. */
export function SampleLinks({ samples, className }: SampleLinksProps) {
  return samples.map(({ id, href }) => (
    <Link key={id} href={href} title={id} className={className}>
      {id === "" ? "the head of the chain" : cutMiddle(id)}
    </Link>
  ));
}
