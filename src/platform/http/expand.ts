import { ApiError } from './api-error.js';
import { assertNoBrackets } from './lists.js';
import type { ApiRequest } from './request.js';

/**
 * Values of a query parameter that is repeated or a comma list, in their order; empty ones are left out.
 * @throws ApiError 400 for a spelling with brackets
 */
export function listQuery(request: ApiRequest, name: string): string[] {
  const query = request.query as Record<string, unknown>;
  assertNoBrackets(query, name);
  const raw = query[name];
  const texts = raw === undefined ? [] : Array.isArray(raw) ? raw : [raw];
  return texts.flatMap((text) => String(text).split(',')).filter((value) => value !== '');
}

/**
 * Reads `expand` (repeated or a comma list).
 * @throws ApiError 400 for a name the operation does not know.
 */
export function expandNames<const Name extends string>(
  request: ApiRequest,
  known: readonly Name[],
): Set<Name> {
  const names = new Set<Name>();
  for (const name of listQuery(request, 'expand')) {
    const found = known.find((candidate) => candidate === name);
    if (found === undefined) {
      throw ApiError.parameter(
        'expand',
        `expand ${JSON.stringify(name)} is not known here; ${known.join(', ')} are.`,
      );
    }
    names.add(found);
  }
  return names;
}
