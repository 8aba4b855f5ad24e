import { RouteError, type RouteErrorProps } from "../route-error";
import { OutsideFrame } from "./outside-frame";

export function FramedError(props: RouteErrorProps) {
  return (
    <OutsideFrame>
      <RouteError {...props} />
    </OutsideFrame>
  );
}
