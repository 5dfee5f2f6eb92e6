import { ApiError } from './api-error.js';
import { violatedUnique } from '../../database/database-errors.js';

/** Also correct if two requests race. @throws ApiError 409 `resource_already_exists`, naming `param` */
export async function orAlreadyExists<T>(
  work: Promise<T>,
  constraint: string,
  param: string,
  message: string,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (violatedUnique(error) === constraint) throw ApiError.alreadyExists(param, message);
    throw error;
  }
}
