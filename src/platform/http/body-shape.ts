import { ApiError } from './api-error.js';

/** Names that mean something to every object of the language. */
const RESERVED = ['__proto__', 'constructor'];

/** What is wrong with a parsed body as a whole, whatever the route; null when it may be looked at. */
export function bodyProblem(body: unknown): ApiError | null {
  if (typeof body !== 'object' || body === null) return null;
  const name = RESERVED.find((reserved) => Object.hasOwn(body, reserved));
  if (name !== undefined) return ApiError.parameter(name, `${name} is not a name that a body may use.`);
  // No deeper than the scan before it was parsed allows.
  for (const inner of Object.values(body)) {
    const problem = bodyProblem(inner);
    if (problem !== null) return problem;
  }
  return null;
}
