import { sourceOwnPage } from "@/app/_server/source-page";

const { metadata, Page } = sourceOwnPage("overview");

export const generateMetadata = metadata;
export default Page;
