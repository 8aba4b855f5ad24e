import { OutsideFrame } from "@/components/feedback/outside-frame";
import NothingHere from "./(console)/not-found";

/** Outside the console there is no frame around it. */
export default function NotFound() {
  return (
    <OutsideFrame>
      <NothingHere />
    </OutsideFrame>
  );
}
