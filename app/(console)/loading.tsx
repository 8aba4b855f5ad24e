/** Bars in the places of rows; the frame around stays. */
export { LoadingRows as default } from "@/components/feedback/loading-rows";
