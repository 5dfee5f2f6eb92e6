import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { IntField, StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';

const MAX_NAME = 60;
const MAX_TIME_MS = 253_402_300_799_999;

export const sqlUserStates = ['active', 'expired', 'blocked'] as const;
export type SqlUserState = (typeof sqlUserStates)[number];

export const sqlAccessModes = ['off', 'replica', 'primary'] as const;
export type SqlAccess = (typeof sqlAccessModes)[number];

@BodyExample({ name: 'Metabase' })
export class CreateSqlUserDto {
  @StringField({ max: MAX_NAME, example: 'Metabase' })
  name: string;

  @IntField({
    min: 0,
    max: MAX_TIME_MS,
    optional: true,
    nullable: true,
    description: 'Epoch milliseconds. From then on the user cannot connect and sees no rows. Default: never.',
  })
  expires_at?: number | null;
}

export class SqlUserDto {
  @ApiProperty({ enum: ['sql_user'] })
  object: 'sql_user';

  @ApiProperty({ type: String, example: 'sqlu_0mb3x1c9a5k2v7pq' })
  id: string;

  @ApiProperty({ type: String, example: 'Metabase' })
  name: string;

  @ApiProperty({
    type: String,
    description: 'The user of the connection: a role of PostgreSQL.',
    example: 'tenure_sql_abcdefghijklmnop',
  })
  role_name: string;

  @ApiProperty({
    enum: sqlUserStates,
    description: '`blocked`: its sessions kept holding locks; rotating its password allows it again.',
  })
  state: SqlUserState;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({
    type: String,
    description: 'Email address of a person, id of a key or client, or `system`.',
    example: 'ada@example.com',
  })
  created_by: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds; null: never.' })
  expires_at: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Epoch milliseconds, to the minute; null if it never connected.',
  })
  last_seen_at: number | null;
}

/** The answer that shows the password. */
export class SqlUserWithPasswordDto extends SqlUserDto {
  @ApiProperty({ type: String, description: 'Returned only once.' })
  password: string;

  @ApiProperty({
    type: String,
    description: 'Connection string with the password, returned only once.',
    example: 'postgresql://tenure_sql_abcdefghijklmnop:…@replica.example.com/tenure?sslmode=require',
  })
  connection_url: string;

  @ApiProperty({
    type: [String],
    description: 'Settings of the PostgreSQL server that make SQL access less safe, each with its remedy.',
  })
  warnings: string[];
}

export class SqlUserListDto extends listOf(SqlUserDto) {
  @ApiProperty({
    enum: sqlAccessModes,
    description: 'The servers that users connect to. `off`: none can be created.',
  })
  access: SqlAccess;
}

export class DeletedSqlUserDto extends deletedOf('sql_user') {}
