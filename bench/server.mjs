import { fileURLToPath } from 'node:url';

/** What Node is to run, as in the image. */
export const serverArgs = [
  '--v8-pool-size=1',
  fileURLToPath(new URL('../dist/src/main.js', import.meta.url)),
];
