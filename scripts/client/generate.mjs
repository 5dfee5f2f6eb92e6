import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { aliasesOf, idempotentPostsOf } from './operations.mjs';

/** The result of a call with `throwOnError: false`, as the generator writes it. */
const RESULT = `(
            | {
                data: TData extends Record<string, unknown> ? TData[keyof TData] : TData;
                error: undefined;
              }
            | {
                data: undefined;
                error: TError extends Record<string, unknown> ? TError[keyof TError] : TError;
              }
          ) & {
            request: Request;
            response: Response;
          }`;
/** The same with the error that the client returns, and without an answer if there was none. */
const OWN_RESULT = `(
            | {
                data: TData extends Record<string, unknown> ? TData[keyof TData] : TData;
                error: undefined;
                response: Response;
              }
            | {
                data: undefined;
                error: TenureError;
                response: Response | undefined;
              }
          ) & {
            request: Request;
          }`;
const ERROR_IMPORT = "import type { TenureError } from '../../tenure-error.js';\n";

/** Options of a request, as the generator writes them. */
const REQUEST_INIT = `    const requestInit: ReqInit = {
      redirect: 'follow',
      ...opts,`;
/** Without the client: Deno takes a \`client\` for one of its own. */
const OWN_REQUEST_INIT = `    const { client: _client, ...init } = opts as typeof opts & { client?: unknown };
    const requestInit: ReqInit = {
      redirect: 'follow',
      ...init,`;

/** @throws Error if another version of the generator writes something else */
function replaceIn(file, written, own) {
  const text = readFileSync(file, 'utf8');
  if (text.split(written).length !== 2) throw new Error(`the generator writes something else in ${file}`);
  writeFileSync(
    file,
    text.replace(written, () => own),
  );
}

const json = (value) => JSON.stringify(value, null, 2);

function factsText({ version, document }) {
  return [
    `export const version = ${json(version)};`,
    `export const idempotentPosts = ${json(idempotentPostsOf(document))};`,
    '',
  ].join('\n');
}

function aliasesText(aliases) {
  const lines = aliases.map(({ alias, name }) => `  ${name} as ${alias},\n`);
  return `/** The vendor's names of operations that have another name here. */\nexport {\n${lines.join('')}} from './sdk.gen.js';\n`;
}

/**
 * Writes the operations and types of a document, the aliases and the facts that the client needs.
 * @param names the vendor's operations: method and path by name
 */
export async function generateClient({ document, names, version, folder }) {
  const aliases = aliasesOf(document, names);
  await createClient({
    input: document,
    output: { path: folder, clean: true, module: { extension: '.js' } },
    logs: { level: 'silent', file: false },
    plugins: [
      '@hey-api/typescript',
      // The client adds the key itself, so that it is in no configuration.
      { name: '@hey-api/sdk', auth: false, client: false },
      { name: '@hey-api/client-fetch', throwOnError: true },
    ],
  });
  replaceIn(join(folder, 'client/client.gen.ts'), REQUEST_INIT, OWN_REQUEST_INIT);
  const types = join(folder, 'client/types.gen.ts');
  replaceIn(types, RESULT, OWN_RESULT);
  writeFileSync(types, ERROR_IMPORT + readFileSync(types, 'utf8'));
  writeFileSync(join(folder, 'facts.ts'), factsText({ version, document }));
  writeFileSync(join(folder, 'aliases.ts'), aliasesText(aliases));
}

/** Contents of all files in a folder, by their path there. */
export function readTree(folder) {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]),
  );
}
