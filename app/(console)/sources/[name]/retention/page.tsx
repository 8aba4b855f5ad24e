import { sourceOwnPage } from "@/app/_server/source-page";

const { metadata, Page } = sourceOwnPage("retention");

export const generateMetadata = metadata;
export default Page;
