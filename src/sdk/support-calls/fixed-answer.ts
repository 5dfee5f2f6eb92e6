import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';

/** Documents an answer that is always the same. */
export function FixedAnswer(
  body: object,
  description = 'The answer, which is always the same.',
): MethodDecorator {
  return applyDecorators(ApiOkResponse({ description, schema: { type: 'object', enum: [body] } }));
}
