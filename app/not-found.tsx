import { OutsideFrame } from "@/components/feedback/outside/outside-frame";
import NothingHere from "./(console)/not-found";

export default function NotFound() {
  return (
    <OutsideFrame>
      <NothingHere />
    </OutsideFrame>
  );
}
