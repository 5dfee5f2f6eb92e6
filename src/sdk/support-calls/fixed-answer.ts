import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';

/** Ad rewards are not verified. This answer prevents the SDK from asking again. */
export const NOT_VERIFIED = { status: 'failed' };
/** Web products are part of offerings. */
export const NO_OFFERING_PRODUCTS = { offerings: {} };

export function FixedAnswer(
  body: object,
  description = 'The answer, which is always the same.',
): MethodDecorator {
  return applyDecorators(ApiOkResponse({ description, schema: { type: 'object', enum: [body] } }));
}
