import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Writes the types of the API for the dashboard's compiler, libs/dashboard/src/api/schema.d.ts, from docs/openapi.json
 * unless they are up to date. The built dashboard holds nothing of them.
 */
const source = new URL('../docs/openapi.json', import.meta.url);
const target = fileURLToPath(new URL('../libs/dashboard/src/api/schema.d.ts', import.meta.url));

const stamp = `// ${createHash('sha256').update(readFileSync(source)).digest('hex')}\n`;
if (!(existsSync(target) && readFileSync(target, 'utf8').startsWith(stamp))) {
  const { default: openapiTypescript, astToString } = await import('openapi-typescript');
  const types = await openapiTypescript(source, { enumValues: false });
  writeFileSync(target, stamp + astToString(types));
}
