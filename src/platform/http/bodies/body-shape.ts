import { ApiError } from '../errors/api-error.js';

/** Names with a meaning on every JavaScript object. */
const RESERVED = ['__proto__', 'constructor'];

export function bodyProblem(body: unknown): ApiError | null {
  if (typeof body !== 'object' || body === null) return null;
  const name = RESERVED.find((reserved) => Object.hasOwn(body, reserved));
  if (name !== undefined) return ApiError.parameter(name, `${name} is not allowed as a field name.`);
  // The scan before parsing has limited the depth.
  for (const inner of Object.values(body)) {
    const problem = bodyProblem(inner);
    if (problem !== null) return problem;
  }
  return null;
}
