import { StateTag } from "@/components/ui/state-tag";
import type { Face } from "@/domain/views/plans";

/** Glyph and word of a plan's state or of a row's. */
export function PlanFace({ face }: { readonly face: Face }) {
  return (
    <StateTag name={face.glyph} tone={face.tone}>
      {face.word}
    </StateTag>
  );
}
