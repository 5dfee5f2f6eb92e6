import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import type { Author } from '../../platform/principal/author.js';

const MAX_LENGTH = 5_000;

@BodyExample({ text: 'Called on Monday: wants to switch to the yearly plan.' })
export class WriteCustomerNoteDto {
  @StringField({
    max: MAX_LENGTH,
    pattern: /\S/,
    patternText: 'must not be blank',
    description: 'Plain text, for the team. Apps and customers never receive it.',
  })
  text: string;
}

class NoteAuthorDto {
  @ApiProperty({ enum: ['user', 'api_key', 'oauth_client', 'scim'] })
  type: Author['type'];

  @ApiProperty({ type: String, description: 'Id of the person, key, client or token.' })
  id: string;

  @ApiProperty({ type: String, nullable: true, description: 'Set only for a user.' })
  email: string | null;
}

export class CustomerNoteDto {
  @ApiProperty({ enum: ['customer_note'] })
  object: 'customer_note';

  @ApiProperty({ type: String, example: 'note_0mjwaidk3x9q2f7t' })
  id: string;

  @ApiProperty({ type: String })
  text: string;

  @ApiProperty({ type: NoteAuthorDto })
  author: NoteAuthorDto;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Time of the last change of the text, epoch milliseconds.',
  })
  edited_at: number | null;
}

export class CustomerNoteListDto extends listOf(CustomerNoteDto) {}

export class DeletedCustomerNoteDto extends deletedOf('customer_note') {}
