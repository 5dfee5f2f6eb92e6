import { build } from './build.mjs';

/** `npm start`: builds when needed and runs the server in this process, which gets the signals. */
build();
await import('../dist/src/main.js');
