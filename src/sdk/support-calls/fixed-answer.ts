import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';

export function FixedAnswer(
  body: object,
  description = 'The answer, which is always the same.',
): MethodDecorator {
  return applyDecorators(ApiOkResponse({ description, schema: { type: 'object', enum: [body] } }));
}
