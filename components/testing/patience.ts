import { configure } from "@testing-library/react";

/** A wait for what a component shows next ends when it is there; on a busy machine that is later than the library's second. */
configure({ asyncUtilTimeout: 15_000 });
