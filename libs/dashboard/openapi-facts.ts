import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

interface Operation {
  operationId: string;
  tags?: string[];
  parameters?: { name: string; schema?: { enum?: string[] } }[];
  'x-required-permissions'?: string[];
  'x-required-role'?: string;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: Record<string, { enum?: string[] }> }> };
}

const file = new URL('../../docs/openapi.json', import.meta.url);
const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Returns `[operationId, 'METHOD /path', tag, permissions, role]` for every operation. */
function operationsOf({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => ({
        id: operation.operationId,
        call: `${method.toUpperCase()} ${path}`,
        tag: operation.tags?.[0] ?? '',
        permissions: operation['x-required-permissions'] ?? [],
        role: operation['x-required-role'],
      })),
  );
}

/** Groups operation names by permissions. Every page loads this, and permissions repeat. */
function operationsByPermissions(document: Document): Record<string, string> {
  const found: Record<string, string[]> = {};
  for (const { id, permissions, role } of operationsOf(document)) {
    const needed = role === undefined ? permissions : [...permissions, 'admin'];
    if (needed.length > 0) (found[needed.join(' ')] ??= []).push(id);
  }
  return Object.fromEntries(Object.entries(found).map(([needed, ids]) => [needed, ids.join(' ')]));
}

/**
 * Facts about the API that the dashboard needs at run time, read from the OpenAPI document at build time:
 * `virtual:permissions`, needed on every page; `virtual:operations`, for "Show the API call"; and
 * `virtual:audit-actions` with `virtual:organization-audit-actions`, lists that only the server has.
 */
export function openApiFacts(): Plugin {
  const modules: Record<string, (document: Document) => unknown> = {
    'virtual:permissions': (document) => operationsByPermissions(document),
    'virtual:audit-actions': ({ paths }) =>
      paths['/v2/projects/{project_id}/audit_logs']?.get?.parameters?.find(
        ({ name }) => name === 'action_type',
      )?.schema?.enum,
    'virtual:organization-audit-actions': ({ components }) =>
      components.schemas.OrganizationAuditLogDto?.properties?.action?.enum,
    'virtual:operations': (document) =>
      Object.fromEntries(operationsOf(document).map(({ id, call, tag }) => [call, [id, tag]])),
  };
  return {
    name: 'openapi-facts',
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    load(id) {
      const make = modules[id.slice(1)];
      if (!make) return undefined;
      this.addWatchFile(file.pathname);
      const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
      return `export default ${JSON.stringify(make(document))};`;
    },
  };
}
