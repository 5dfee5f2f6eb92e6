import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, type ApiResponseSchemaHost } from '@nestjs/swagger';
import { isJsonObject } from '../../../libs/kernel/index.js';

type Schema = ApiResponseSchemaHost['schema'];

/** Ad rewards are not verified. This answer prevents the SDK from asking again. */
export const NOT_VERIFIED = { status: 'failed' };
/** Web products are part of offerings. */
export const NO_OFFERING_PRODUCTS = { offerings: {} };

/** Generators of clients understand enumerations of scalars only. */
function schemaOf(value: unknown): Schema {
  if (Array.isArray(value)) return { type: 'array', items: {}, maxItems: value.length };
  if (!isJsonObject(value)) return { type: typeof value, enum: [value] };
  const properties = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, schemaOf(member)]),
  );
  return { type: 'object', properties, required: Object.keys(value) };
}

export function FixedAnswer(
  body: object,
  description = 'The answer, which is always the same.',
): MethodDecorator {
  return applyDecorators(ApiOkResponse({ description, schema: schemaOf(body) }));
}
