import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';

/** Documents the paging parameters of a list. */
export function PageQuery(): MethodDecorator {
  return applyDecorators(
    ApiQuery({
      name: 'limit',
      required: false,
      type: 'integer',
      description: '1 to 100, clamped. Default 20.',
    }),
    ApiQuery({
      name: 'starting_after',
      required: false,
      type: String,
      description: 'Last item of the previous page.',
    }),
  );
}
