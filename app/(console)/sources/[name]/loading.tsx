export { LoadingRows as default } from "@/components/feedback/loading-rows";
