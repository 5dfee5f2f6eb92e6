import { randomBytes } from 'node:crypto';
import { buildOrExit } from './build.mjs';
import { runsInEngine } from './deployment/engine.mjs';
import { checkImage } from './deployment/image.mjs';

/** Runs an image that docker/check.sh built: `IMAGE` with `ENGINE` and the options of `ENGINE_RUN`. */
const { IMAGE, ENGINE, ENGINE_RUN } = process.env;

await buildOrExit();
await checkImage(randomBytes(32).toString('base64'), (shared) =>
  runsInEngine({ image: IMAGE, engine: ENGINE, run: ENGINE_RUN.split(' '), shared }),
);
