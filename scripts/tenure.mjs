#!/usr/bin/env node
import { buildOrExit } from './build.mjs';

/** The command line of a checkout: builds when needed. An image runs dist/src/cli/tenure.js itself. */
await buildOrExit();
process.setSourceMapsEnabled(true);
await import('../dist/src/cli/tenure.js');
