import { type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';

export interface Deleted<Kind extends string> {
  object: Kind;
  id: string;
  /** Epoch milliseconds. */
  deleted_at: number;
}

/** The response to deleting one kind of object, as a class for the OpenAPI document. */
export function deletedOf<const Kind extends string>(kind: Kind): Type<Deleted<Kind>> {
  class DeletedObject implements Deleted<Kind> {
    @ApiProperty({ enum: [kind] })
    object: Kind;

    @ApiProperty({ type: String })
    id: string;

    @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
    deleted_at: number;
  }
  return DeletedObject;
}
