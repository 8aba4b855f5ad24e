import { sourceFlightPage } from "@/app/_server/source-page";

const { metadata, Page } = sourceFlightPage();

export const generateMetadata = metadata;
export default Page;
