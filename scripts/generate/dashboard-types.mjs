import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

const TARGET = 'libs/dashboard/src/api/schema.d.ts';
const root = new URL('../../', import.meta.url);

/**
 * The types of the API for the dashboard's compiler, from docs/openapi.json; nothing if they are up to date. The built
 * dashboard contains none of them.
 */
export async function generate() {
  const source = new URL('docs/openapi.json', root);
  const target = new URL(TARGET, root);
  const stamp = `// ${createHash('sha256').update(readFileSync(source)).digest('hex')}\n`;
  if (existsSync(target) && readFileSync(target, 'utf8').startsWith(stamp)) return {};
  const { default: openapiTypescript, astToString } = await import('openapi-typescript');
  const types = await openapiTypescript(source, { enumValues: false });
  return { [TARGET]: stamp + astToString(types) };
}
