import { ApiError } from './api-error.js';
import type { ApiRequest } from './request.js';

/**
 * Reads `expand` (repeated or a comma list).
 * @throws ApiError 400 for a name the operation does not know.
 */
export function expandNames<const Name extends string>(
  request: ApiRequest,
  known: readonly Name[],
): Set<Name> {
  const raw = (request.query as Record<string, unknown>).expand;
  const texts = raw === undefined ? [] : Array.isArray(raw) ? raw : [raw];
  const names = new Set<Name>();
  for (const name of texts.flatMap((text) => String(text).split(','))) {
    if (name === '') continue;
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
