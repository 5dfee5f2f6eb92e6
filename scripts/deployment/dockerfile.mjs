import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dockerfile = fileURLToPath(new URL('../../docker/Dockerfile', import.meta.url));

/** An instruction of the Dockerfile that holds a command: the last one of its kind. */
export function instruction(name) {
  const text = readFileSync(dockerfile, 'utf8').replaceAll(/\\\n\s*/g, ' ');
  const found = [...text.matchAll(new RegExp(`^${name}(?: .*CMD)? (\\[.*\\])$`, 'gm'))].at(-1);
  return JSON.parse(found[1]);
}
