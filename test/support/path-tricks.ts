import type { OpenAPIObject } from '@nestjs/swagger';
import type { KnownObjects } from './known-objects.js';

/** Ids that the server makes: no client ever has another value for them, and so no dots. */
const SERVER_MADE = new Set(['transaction_id']);

/** A request whose path a URL library may turn into another one. */
export interface PathTrick {
  method: string;
  path: string;
}

/** Dot segments, written as clients write them; slashes within a value; no value at all. */
const VALUES = ['.', '..', '%2e', '%2E%2e', '%2E.', '.%2e', '..%2F..', '%2e%2e%2f', ''];

const PARAMETER = /\{([^}]+)\}/g;

function filled(path: string, known: KnownObjects, except = '', value = ''): string {
  return path.replace(PARAMETER, (_, name: string) => (name === except ? value : (known[name] ?? 'ada')));
}

/** Every operation with a text parameter, with every such value in each of them, and with a slash too many. */
export function pathTricksOf(document: OpenAPIObject, known: KnownObjects): PathTrick[] {
  return Object.entries(document.paths).flatMap(([pattern, operations]) => {
    const names = [...pattern.matchAll(PARAMETER)].map(([, name = '']) => name);
    if (names.length === 0) return [];
    const chosen = names.filter((name) => !SERVER_MADE.has(name));
    const honestPath = filled(pattern, known);
    const paths = [
      ...chosen.flatMap((name) => VALUES.map((value) => filled(pattern, known, name, value))),
      `${honestPath}/`,
      `${honestPath}//`,
      `/${honestPath}`,
      honestPath.replace(/\/(?=[^/]+$)/, '//'),
    ];
    return Object.keys(operations as object).flatMap((method) =>
      [...new Set(paths)].map((path) => ({ method: method.toUpperCase(), path })),
    );
  });
}

/** Tables in which a read of an SDK creates the customer whose name it finds in the path. */
export const NEW_CUSTOMER_TABLES = new Set([
  'customers',
  'customer_aliases',
  'listed_customers',
  'customer_snapshots',
  'metric_customer_changes',
  'chart_changes',
  'report_changes',
]);
