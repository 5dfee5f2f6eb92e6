import { ApiProperty } from '@nestjs/swagger';
import { unknownCursor } from '../../platform/http/lists/list-place.js';
import type { ListEnvelope, PageRequest } from '../../platform/http/lists/lists.js';
import { type ApiRequest, wirePath } from '../../platform/http/pipeline/request.js';

/** A list of objects of a type that this server never has. */
export class EmptyListDto implements ListEnvelope<never> {
  @ApiProperty({ enum: ['list'] })
  object: 'list';

  @ApiProperty({ type: 'array', items: { type: 'object' }, maxItems: 0 })
  items: never[];

  @ApiProperty({ type: String, nullable: true, description: 'Always null.' })
  next_page: string | null;

  @ApiProperty({ type: String, description: 'Path of this list.' })
  url: string;
}

/** @throws ApiError 400 for any `starting_after`: no item has that cursor */
export function emptyList(request: ApiRequest, page: PageRequest): EmptyListDto {
  if (page.after !== null) throw unknownCursor(page.after);
  return { object: 'list', items: [], next_page: null, url: wirePath(request) };
}
