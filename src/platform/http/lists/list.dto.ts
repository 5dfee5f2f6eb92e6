import { type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { ListEnvelope } from './lists.js';

/** The list envelope for one kind of item, as a class for the OpenAPI document. */
export function listOf<Item extends object>(item: Type<Item>): Type<ListEnvelope<Item>> {
  class List implements ListEnvelope<Item> {
    @ApiProperty({ enum: ['list'] })
    object: 'list';

    @ApiProperty({ type: [item] })
    items: Item[];

    @ApiProperty({ type: String, nullable: true, description: 'Path of the next page; null on the last.' })
    next_page: string | null;

    @ApiProperty({ type: String, description: 'Path of this list.' })
    url: string;
  }
  Object.defineProperty(List, 'name', { value: item.name.replace(/Dto$/, 'ListDto') });
  return List;
}
