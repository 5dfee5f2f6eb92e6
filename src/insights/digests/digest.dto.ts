import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import {
  BooleanField,
  EnumField,
  IntField,
  StringArrayField,
  StringField,
} from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { digestFigures, type DigestFigure } from './digest-figures.js';
import { type DigestPeriod, isTimeZone } from './digest-schedule.policy.js';

const MAX_NAME = 255;
const MAX_ID = 100;
export const MAX_MEMBERS = 20;
const periods = ['daily', 'weekly'] as const;
const environments = ['production', 'sandbox'] as const;

const fields = {
  name: { max: MAX_NAME, example: 'Figures of yesterday' },
  destination_id: {
    max: MAX_ID,
    nullable: true,
    description: 'A Slack or Discord destination. A digest has either a destination or `emails`.',
    example: 'dst_0mb3x1c9a5k2v7pq',
  },
  emails: {
    max: MAX_MEMBERS,
    itemMax: MAX_ID,
    description: 'User ids of members of the project who get the digest by mail.',
  },
  period: { description: '`daily` reports the last complete UTC day, `weekly` the last complete week.' },
  weekday: { min: 1, max: 7, description: 'Day of a weekly digest; 1 is Monday. Default: 1.' },
  hour: { min: 0, max: 23, description: 'Hour of the day in `time_zone`. Default: 9.' },
  time_zone: {
    max: MAX_ID,
    accepts: isTimeZone,
    patternText: 'must be the name of a time zone, such as Europe/Berlin',
    description: 'Name in the IANA database. Default: UTC.',
    example: 'Europe/Berlin',
  },
  figures: {
    min: 1,
    max: digestFigures.length,
    itemMax: MAX_ID,
    values: digestFigures,
    description: 'Lines of the digest. Default: all.',
  },
  environment: { description: 'Purchases that count. Default: production.' },
  send_empty: { description: 'Whether a period whose figures are all 0 is sent. Default: true.' },
  enabled: { description: 'Default: true.' },
} as const;

@BodyExample({ name: 'Figures of yesterday', emails: ['usr_0mb3x1c9a5k2v7pq'], period: 'daily', hour: 9 })
export class CreateDigestDto {
  @StringField(fields.name)
  name: string;

  @StringField({ ...fields.destination_id, optional: true })
  destination_id?: string | null;

  @StringArrayField({ ...fields.emails, optional: true })
  emails?: string[];

  @EnumField(periods, fields.period)
  period: DigestPeriod;

  @IntField({ ...fields.weekday, optional: true })
  weekday?: number;

  @IntField({ ...fields.hour, optional: true })
  hour?: number;

  @StringField({ ...fields.time_zone, optional: true })
  time_zone?: string;

  @StringArrayField({ ...fields.figures, optional: true })
  figures?: DigestFigure[];

  @EnumField(environments, { ...fields.environment, optional: true })
  environment?: 'production' | 'sandbox';

  @BooleanField({ ...fields.send_empty, optional: true })
  send_empty?: boolean;

  @BooleanField({ ...fields.enabled, optional: true })
  enabled?: boolean;
}

@BodyExample({ hour: 8, time_zone: 'Europe/Berlin' })
export class UpdateDigestDto {
  @StringField({ ...fields.name, optional: true })
  name?: string;

  @StringField({ ...fields.destination_id, optional: true })
  destination_id?: string | null;

  @StringArrayField({ ...fields.emails, optional: true })
  emails?: string[];

  @EnumField(periods, { ...fields.period, optional: true })
  period?: DigestPeriod;

  @IntField({ ...fields.weekday, optional: true })
  weekday?: number;

  @IntField({ ...fields.hour, optional: true })
  hour?: number;

  @StringField({ ...fields.time_zone, optional: true })
  time_zone?: string;

  @StringArrayField({ ...fields.figures, optional: true })
  figures?: DigestFigure[];

  @EnumField(environments, { ...fields.environment, optional: true })
  environment?: 'production' | 'sandbox';

  @BooleanField({ ...fields.send_empty, optional: true })
  send_empty?: boolean;

  @BooleanField({ ...fields.enabled, optional: true })
  enabled?: boolean;
}

const timeDescription = 'Epoch milliseconds.';

export class DigestDto {
  @ApiProperty({ enum: ['digest'] })
  object: 'digest';

  @ApiProperty({ type: String, example: 'dig_0mb3x1c9a5k2v7pq' })
  id: string;

  @ApiProperty({ type: String, example: fields.name.example })
  name: string;

  @ApiProperty({ type: String, nullable: true, description: fields.destination_id.description })
  destination_id: string | null;

  @ApiProperty({ type: [String], description: fields.emails.description })
  emails: string[];

  @ApiProperty({ enum: periods, description: fields.period.description })
  period: DigestPeriod;

  @ApiProperty({ type: 'integer', description: 'Day of a weekly digest; 1 is Monday.' })
  weekday: number;

  @ApiProperty({ type: 'integer', description: 'Hour of the day in `time_zone`.' })
  hour: number;

  @ApiProperty({ type: String, example: 'Europe/Berlin' })
  time_zone: string;

  @ApiProperty({ enum: digestFigures, isArray: true, description: 'In the order of the lines.' })
  figures: DigestFigure[];

  @ApiProperty({ enum: environments })
  environment: 'production' | 'sandbox';

  @ApiProperty({ type: Boolean, description: 'Whether a period whose figures are all 0 is sent.' })
  send_empty: boolean;

  @ApiProperty({ type: Boolean })
  enabled: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: `${timeDescription} Null if it is off.` })
  next_at: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: timeDescription })
  last_sent_at: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '2026-11-16/2026-11-22',
    description:
      'The newest period that was sent on schedule: a UTC day, or the first and the last day of a week.',
  })
  last_period: string | null;

  @ApiProperty({ type: 'integer', description: timeDescription })
  created_at: number;
}

export class DigestListDto extends listOf(DigestDto) {}

export class DeletedDigestDto extends deletedOf('digest') {}

export class DigestPreviewDto {
  @ApiProperty({ enum: ['digest_preview'] })
  object: 'digest_preview';

  @ApiProperty({ type: String, example: 'My project, Thursday 26 November 2026' })
  heading: string;

  @ApiProperty({ type: [String], example: ['Revenue: $1,234.56 (+12.3 % from $1,099.34)'] })
  lines: string[];

  @ApiProperty({ type: Boolean, description: 'False while some figures are still computed.' })
  is_complete: boolean;

  @ApiProperty({ type: Boolean, description: 'Whether all figures are 0.' })
  is_empty: boolean;
}

export class DigestMailsDto {
  @ApiProperty({ enum: ['digest_mails'] })
  object: 'digest_mails';

  @ApiProperty({ type: 'integer', description: 'Number of mails that are sent.' })
  queued: number;
}
