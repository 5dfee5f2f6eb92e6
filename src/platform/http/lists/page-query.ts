import { ApiError } from '../errors/api-error.js';
import { Cursor } from './list-place.js';
import { pathOf, QueryParameter, type RawQuery, singleValue } from './query-parameters.js';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

function readLimit(query: RawQuery, name: string, max: number): number {
  const text = singleValue(query, name);
  if (text === null) return DEFAULT_LIMIT;
  if (!/^-?\d{1,15}$/.test(text)) throw ApiError.parameter(name, `${name} must be a whole number.`);
  return Math.min(Math.max(Number(text), 1), max);
}

function readCursor(query: RawQuery, name: string): Cursor | null {
  const text = singleValue(query, name);
  return text === null || text === '' ? null : new Cursor(text, pathOf(query));
}

/** For a list whose items are more expensive to read, with a lower `max`. */
export function LimitParameter(max: number): PropertyDecorator {
  const description = `Items per page, 1 to ${max}; values outside are clamped. Default ${DEFAULT_LIMIT}.`;
  return QueryParameter({ type: 'integer', description }, (query, name) => readLimit(query, name, max));
}

export class PageQuery {
  @LimitParameter(MAX_LIMIT)
  limit: number;

  @QueryParameter(
    {
      type: String,
      description:
        'Where the page starts: the id of the last item of the previous page, or the value in `next_page`, which works even if that item was deleted.',
    },
    readCursor,
  )
  starting_after: Cursor | null;

  get after(): Cursor | null {
    return this.starting_after;
  }
}
