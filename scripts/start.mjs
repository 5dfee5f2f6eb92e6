import { buildOrExit } from './build.mjs';

/** `npm start`: builds when needed and runs the server in this process, which gets the signals. */
await buildOrExit();
// Stack traces name the lines of the TypeScript sources. Only what is loaded from here on is mapped.
process.setSourceMapsEnabled(true);
await import('../dist/src/main.js');
