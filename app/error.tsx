"use client"; // Next asks for the directive in this very file; everything else is in components/.

export { OutsideError as default } from "@/components/feedback/outside/outside-error";
