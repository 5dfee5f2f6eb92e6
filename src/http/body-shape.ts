import { ApiError } from './api-error.js';

/** No body of the API nests deeper than ten levels; what is free (metadata) may go further. */
export const MAX_DEPTH = 64;
/** Names that mean something to every object of the language. */
const RESERVED = ['__proto__', 'constructor'];

/** What is wrong with a parsed body as a whole, whatever the route; null when it may be looked at. */
export function bodyProblem(body: unknown): ApiError | null {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      return new ApiError('invalid_request', `The body nests deeper than ${MAX_DEPTH} levels.`);
    }
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      const name = RESERVED.find((reserved) => Object.hasOwn(value, reserved));
      if (name !== undefined) return ApiError.parameter(name, `${name} is not a name that a body may use.`);
      for (const inner of Object.values(value)) next.push(inner);
    }
    level = next;
  }
  return null;
}
