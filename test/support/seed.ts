/** The same random inputs in every run, so that what holds in one holds in all; `PROPERTY_SEED=2 npm test` draws others. */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
