import { messagePage } from "@/app/_server/message-page";

const page = messagePage("inbox");
export const generateMetadata = page.metadata;
export default page.Page;
