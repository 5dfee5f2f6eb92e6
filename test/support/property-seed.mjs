import fc from 'fast-check';

/** Property tests try the cases of one seed, which scripts/test.mjs chooses. */
fc.configureGlobal({ seed: Number(process.env.SEED) });
