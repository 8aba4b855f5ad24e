import { moduleCases } from "./module-cases";

// The lowest Node that is supported reads no types, the next ones do.
moduleCases((process.features as { readonly typescript?: unknown }).typescript ? "mts" : "mjs");
