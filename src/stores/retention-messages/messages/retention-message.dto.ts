import { ApiProperty } from '@nestjs/swagger';
import type { Environment } from '../../../../libs/engine/index.js';
import {
  retentionMessageLimits,
  retentionMessageStates,
  retentionTestStates,
} from '../../../../libs/stores/index.js';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../../platform/http/bodies/deleted.dto.js';
import { EnumField, StringField } from '../../../platform/http/bodies/fields.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { ChoiceParameter } from '../../../platform/http/lists/query-parameters.js';

export const environments = ['production', 'sandbox'] as const;

export type StoreEnvironment = Extract<Environment, (typeof environments)[number]>;

const ofEnvironment = { optional: true, description: 'Default: production.' } as const;

export class RetentionEnvironmentQuery {
  @ChoiceParameter(environments, { default: 'production', description: 'Default: production.' })
  environment: StoreEnvironment;
}

@BodyExample({ header: 'Before you go', body: 'Your notes stay in sync on all devices while you subscribe.' })
export class CreateRetentionMessageDto {
  @StringField({ max: retentionMessageLimits.header, example: 'Before you go' })
  header: string;

  @StringField({ max: retentionMessageLimits.body })
  body: string;

  @EnumField(environments, ofEnvironment)
  environment?: StoreEnvironment;
}

export class RetentionMessageDto {
  @ApiProperty({ enum: ['retention_message'] })
  object: 'retention_message';

  @ApiProperty({ type: String, format: 'uuid' })
  id: string;

  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ enum: environments })
  environment: StoreEnvironment;

  @ApiProperty({
    enum: [...retentionMessageStates, 'unknown'],
    description: "Apple's review. Only approved messages are shown.",
  })
  state: (typeof retentionMessageStates)[number] | 'unknown';

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null for a message that was not created here: Apple does not return texts.',
  })
  header: string | null;

  @ApiProperty({ type: String, nullable: true })
  body: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds.' })
  created_at: number | null;
}

export class RetentionMessageListDto extends listOf(RetentionMessageDto) {}

export class DeletedRetentionMessageDto extends deletedOf('retention_message') {}

@BodyExample({ product_id: 'pro_monthly', locale: 'en-US', message_id: null })
export class SetRetentionDefaultDto {
  @StringField({ max: 255, description: 'Id of the product, here or in the App Store.' })
  product_id: string;

  @StringField({
    max: 35,
    pattern: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
    patternText: 'must be a locale such as en-US',
    example: 'en-US',
  })
  locale: string;

  @StringField({ max: 36, nullable: true, description: 'An approved message. Null removes the default.' })
  message_id: string | null;

  @EnumField(environments, ofEnvironment)
  environment?: StoreEnvironment;
}

export class RetentionDefaultDto {
  @ApiProperty({ enum: ['retention_default'] })
  object: 'retention_default';

  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ enum: environments })
  environment: StoreEnvironment;

  @ApiProperty({ type: String })
  product_id: string;

  @ApiProperty({ type: String })
  locale: string;

  @ApiProperty({ type: String, nullable: true })
  message_id: string | null;
}

@BodyExample({ environment: 'sandbox' })
export class ConfigureRetentionUrlDto {
  @EnumField(environments, ofEnvironment)
  environment?: StoreEnvironment;
}

export class RetentionUrlDto {
  @ApiProperty({ enum: ['retention_url'] })
  object: 'retention_url';

  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ enum: environments })
  environment: StoreEnvironment;

  @ApiProperty({ type: String, description: 'Address that Apple asks for a message.' })
  url: string;
}

@BodyExample({ original_transaction_id: '2000000123456789' })
export class StartRetentionTestDto {
  @StringField({
    max: 30,
    pattern: /^\d+$/,
    patternText: 'must be a transaction id of the App Store',
    description: 'Original transaction id of any subscription in the sandbox.',
  })
  original_transaction_id: string;
}

class RetentionTestConfigDto {
  @ApiProperty({ type: 'integer' })
  max_concurrent_requests: number;

  @ApiProperty({ type: 'integer' })
  total_requests: number;

  @ApiProperty({ type: 'integer', description: 'Milliseconds.' })
  total_duration_ms: number;

  @ApiProperty({ type: 'integer', description: 'Milliseconds.' })
  response_time_threshold_ms: number;

  @ApiProperty({ type: 'integer', description: 'Percent.' })
  success_rate_threshold: number;
}

class RetentionTestTimesDto {
  @ApiProperty({ type: 'number' })
  average: number;

  @ApiProperty({ type: 'number' })
  p50: number;

  @ApiProperty({ type: 'number' })
  p90: number;

  @ApiProperty({ type: 'number' })
  p95: number;

  @ApiProperty({ type: 'number' })
  p99: number;
}

export class RetentionTestDto {
  @ApiProperty({ enum: ['retention_test'] })
  object: 'retention_test';

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ enum: retentionTestStates })
  state: (typeof retentionTestStates)[number];

  @ApiProperty({ type: RetentionTestConfigDto })
  config: RetentionTestConfigDto;

  @ApiProperty({ type: 'number', nullable: true, description: 'Percent. Null at the start.' })
  success_rate: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Requests that Apple has yet to send.' })
  pending_count: number | null;

  @ApiProperty({ type: RetentionTestTimesDto, nullable: true, description: 'Milliseconds.' })
  response_times_ms: RetentionTestTimesDto | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: "Numbers of failed requests, by Apple's name of the failure.",
  })
  failures: Record<string, number>;
}
