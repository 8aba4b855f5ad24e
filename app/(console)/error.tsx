"use client"; // Next asks for the directive in this very file; everything else is in components/.

export { RouteError as default } from "@/components/feedback/route-error";
