import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { type ClassConstructor, plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { ApiError } from './api-error.js';
import { jsonBody } from './json-body.js';

function firstProblem(errors: ValidationError[], parents: string[] = []): { param: string; message: string } {
  const [error] = errors;
  if (!error) return { param: parents.join('.'), message: 'is not valid' };
  const path = [...parents, error.property];
  const message = Object.values(error.constraints ?? {})[0];
  if (message === undefined) return firstProblem(error.children ?? [], path);
  return { param: path.join('.'), message };
}

/**
 * Checks and converts request bodies by their DTO class. Unknown fields are dropped (the fields of later
 * versions and of other clients must not break a call), the first bad field is named in the 400.
 */
@Injectable()
export class BodyValidationPipe implements PipeTransform<unknown, Promise<unknown>> {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type !== 'body' || !metatype || metatype === Object) return value;
    const plain = jsonBody(value ?? {});
    const dto = plainToInstance(metatype as ClassConstructor<object>, plain);
    const errors = await validate(dto, { whitelist: true, forbidUnknownValues: false });
    if (errors.length > 0) {
      const { param, message } = firstProblem(errors);
      throw ApiError.parameter(param, `${param} ${message}.`);
    }
    return dto;
  }
}
