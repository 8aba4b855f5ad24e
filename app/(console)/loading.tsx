import { LoadingRows } from "@/components/feedback/loading-rows";

/** Bars in the places of rows; the frame around stays. */
export default function ConsoleLoading() {
  return <LoadingRows />;
}
