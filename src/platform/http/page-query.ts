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
      description:
        'Key of the last item of the previous page, or what `next_page` has here: it goes on even when that item is deleted.',
    }),
  );
}
