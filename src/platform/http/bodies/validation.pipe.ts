import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { validate, type ValidationError } from 'class-validator';
import { isJsonObject } from '../../../../libs/kernel/index.js';
import { ApiError } from '../errors/api-error.js';
import { type DtoClass, misplacedField, type MisplacedField, toDto } from './declared-fields.js';
import { MUST_CONTAIN_OBJECTS } from './fields.js';
import { jsonBody } from './json-body.js';
import { type RawQuery, readQuery } from '../lists/query-parameters.js';

/** Index of the first list item that is not an object; null if the list itself is invalid. */
function wrongItem({ value, constraints = {} }: ValidationError): number | null {
  if (!Array.isArray(value) || 'arrayMaxSize' in constraints) return null;
  if (constraints.isObject !== MUST_CONTAIN_OBJECTS) return null;
  const index = value.findIndex((item) => !isJsonObject(item));
  return index < 0 ? null : index;
}

function firstProblem(errors: ValidationError[], parents: string[] = []): { param: string; message: string } {
  const [error] = errors;
  if (!error) return { param: parents.join('.'), message: 'is not valid' };
  const path = [...parents, error.property];
  const message = Object.values(error.constraints ?? {})[0];
  if (message === undefined) return firstProblem(error.children ?? [], path);
  const item = wrongItem(error);
  if (item !== null) return { param: [...path, item].join('.'), message: 'must be an object' };
  return { param: path.join('.'), message };
}

function misplacedError({ param, places }: MisplacedField): ApiError {
  const right = places.map((place) => (place === '' ? 'the body itself' : place)).join(', ');
  return ApiError.parameter(param, `${param} has no effect there; it is a field of ${right}.`);
}

/** Converts bodies and queries to their class and validates them. The 400 names the first invalid field. */
@Injectable()
export class RequestValidationPipe implements PipeTransform<unknown, Promise<unknown>> {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (!metatype || metatype === Object) return value;
    if (type === 'query') return readQuery(metatype as DtoClass, value as RawQuery);
    if (type !== 'body') return value;
    const plain = jsonBody(value ?? {});
    const misplaced = misplacedField(metatype as DtoClass, plain);
    if (misplaced) throw misplacedError(misplaced);
    const dto = toDto(metatype as DtoClass, plain);
    const errors = await validate(dto, { forbidUnknownValues: false });
    if (errors.length > 0) {
      const { param, message } = firstProblem(errors);
      throw ApiError.parameter(param, `${param} ${message}.`);
    }
    return dto;
  }
}
