import { ApiProperty } from '@nestjs/swagger';
import { errorTypes } from './api-error.js';

export class AttributeErrorDto {
  @ApiProperty({ type: String })
  key_name: string;

  @ApiProperty({ type: String })
  message: string;
}

export class RedemptionErrorInfoDto {
  @ApiProperty({ type: String, example: 'a***@e*****.com' })
  obfuscated_email: string;
}

export class V1ErrorDto {
  @ApiProperty({ type: 'integer', example: 7225 })
  code: number;

  @ApiProperty({ type: String, example: 'The API key is unknown.' })
  message: string;

  @ApiProperty({ type: [AttributeErrorDto], required: false })
  attribute_errors?: AttributeErrorDto[];

  @ApiProperty({
    type: RedemptionErrorInfoDto,
    required: false,
    description: 'With 7853: where a new link was mailed to.',
  })
  purchase_redemption_error_info?: RedemptionErrorInfoDto;
}

export class V2ErrorDto {
  @ApiProperty({ enum: ['error'] })
  object: 'error';

  @ApiProperty({ enum: errorTypes })
  type: string;

  @ApiProperty({
    type: String,
    required: false,
    description:
      'Distinguishes causes of the same type, for programs. `sso_required`, with 403: the organization requires that the person signs in with its identity provider, at `/sso/start?email=`.',
    example: 'sso_required',
  })
  reason?: string;

  @ApiProperty({ type: String, required: false, description: 'The request field at fault.' })
  param?: string;

  @ApiProperty({ type: String })
  message: string;

  @ApiProperty({ type: String, format: 'uri' })
  doc_url: string;

  @ApiProperty({ type: Boolean, description: 'Whether the same request may succeed later.' })
  retryable: boolean;

  @ApiProperty({ type: 'integer', required: false, description: 'Milliseconds to wait before a retry.' })
  backoff_ms?: number;

  @ApiProperty({ type: [String], required: false })
  referenced_object_ids?: string[];

  @ApiProperty({
    type: String,
    required: false,
    description: "With 421: the region of the project's data.",
  })
  region?: string;

  @ApiProperty({ type: String, nullable: true, required: false, description: 'With 421: its API.' })
  api_url?: string | null;

  @ApiProperty({ type: String, nullable: true, required: false, description: 'With 421: its dashboard.' })
  app_url?: string | null;
}

/** RFC 6749, 5.2. */
export class OauthErrorDto {
  @ApiProperty({ type: String, example: 'invalid_grant' })
  error: string;

  @ApiProperty({ type: String, description: 'For developers of clients.' })
  error_description: string;
}

export class AccountErrorDto {
  @ApiProperty({ type: String, example: 'parameter_error' })
  type: string;

  @ApiProperty({ type: String })
  message: string;

  @ApiProperty({ type: String, required: false, example: 'setup_token_required' })
  reason?: string;

  @ApiProperty({ type: String, required: false })
  param?: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'With `sso_required`: where to sign in instead.',
    example: '/sso/start?email=ada%40example.com',
  })
  sso_url?: string;

  @ApiProperty({ type: 'integer', required: false })
  retry_after?: number;
}
