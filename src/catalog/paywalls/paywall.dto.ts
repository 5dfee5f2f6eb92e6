import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { BooleanField, IntField, JsonObjectField, StringField } from '../../platform/http/bodies/fields.js';
import { V2ErrorDto } from '../../platform/http/errors/error.dto.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import { ExpandParameter, TextParameter } from '../../platform/http/lists/query-parameters.js';
import { OfferingDto } from '../offerings/offering.dto.js';

const MAX_REVISION = 2 ** 31 - 1;
const removable = { optional: true, nullable: true } as const;
const nameField = { max: 1500, optional: true, example: 'Spring sale' } as const;

const revisionField = {
  min: 1,
  max: MAX_REVISION,
  description: 'The revision that the change is based on: of the draft, otherwise of the published version.',
} as const;

@BodyExample({ offering_id: 'ofrngsx2k8v0a1c', template_id: 'simple' })
export class CreatePaywallDto {
  @StringField({ max: 255, description: 'An offering without a paywall.' })
  offering_id: string;

  @StringField({ ...nameField, description: 'Default: the name of the offering.' })
  name?: string;

  @StringField({
    max: 255,
    optional: true,
    description: 'Starts from a template: `GET …/paywall_templates`. Default: an empty screen.',
  })
  template_id?: string;

  @StringField({
    max: 255,
    optional: true,
    description: 'Starts from another paywall of the project: its draft, otherwise its published version.',
  })
  duplicate_of?: string;
}

@BodyExample({ revision: 1, name: 'Spring sale' })
export class UpdatePaywallDto {
  @IntField(revisionField)
  revision: number;

  @StringField(nameField)
  name?: string;

  @StringField({
    max: 255,
    optional: true,
    description: 'SDKs receive the paywall with this offering once it is published.',
  })
  offering_id?: string;

  @StringField({ max: 100, optional: true, example: 'en_US' })
  default_locale?: string;

  @JsonObjectField({ optional: true, description: 'The screen: `GET /schemas/paywall-document.json`.' })
  components_config?: Record<string, unknown>;

  @JsonObjectField({ optional: true, description: 'Texts and images by locale and id.' })
  components_localizations?: Record<string, unknown>;

  @JsonObjectField(removable)
  exit_offers?: Record<string, unknown> | null;

  @JsonObjectField(removable)
  state_declarations?: Record<string, unknown> | null;

  @JsonObjectField(removable)
  play_store_product_change_mode?: Record<string, unknown> | null;

  @BooleanField({ ...removable, description: 'Default: true.' })
  automatically_scale_font_size?: boolean | null;
}

@BodyExample({})
export class PublishPaywallDto {
  @IntField({
    ...revisionField,
    optional: true,
    description: 'Publishes only if this is the revision of the draft.',
  })
  revision?: number;
}

const jsonObject = { type: 'object', additionalProperties: true } as const;

export class PaywallContentDto {
  @ApiProperty({ type: 'integer' })
  revision: number;

  @ApiProperty({ type: String, example: 'en_US' })
  default_locale: string;

  @ApiProperty(jsonObject)
  components_config: Record<string, unknown>;

  @ApiProperty(jsonObject)
  components_localizations: Record<string, unknown>;

  @ApiProperty({
    ...jsonObject,
    description: 'Always empty. The fonts of the project are in `GET …/paywall_settings`.',
  })
  fonts: Record<string, unknown>;

  @ApiPropertyOptional(jsonObject)
  exit_offers?: Record<string, unknown>;

  @ApiPropertyOptional(jsonObject)
  state_declarations?: Record<string, unknown>;

  @ApiPropertyOptional(jsonObject)
  play_store_product_change_mode?: Record<string, unknown>;
}

class PaywallComponentsDto {
  @ApiProperty({ type: PaywallContentDto, nullable: true, description: 'What SDKs receive.' })
  published: PaywallContentDto | null;

  @ApiProperty({ type: PaywallContentDto, nullable: true, description: 'Null without unpublished changes.' })
  draft: PaywallContentDto | null;
}

export class PaywallProblemDto {
  @ApiProperty({ enum: ['error', 'warning'], description: 'A draft with errors cannot be published.' })
  severity: 'error' | 'warning';

  @ApiProperty({ type: String, example: 'E7' })
  code: string;

  @ApiProperty({
    type: String,
    description: 'JSON pointer into the document; an empty string for the whole.',
    example: '/components_config/base/stack/components/1/package_id',
  })
  path: string;

  @ApiProperty({ type: String, example: 'The offering has no package `$rc_weekly`.' })
  message: string;
}

export class PaywallDto {
  @ApiProperty({ enum: ['paywall'] })
  object: 'paywall';

  @ApiProperty({ type: String, example: 'pwmofr1x0a1b2c3d4e5' })
  id: string;

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({
    type: String,
    description: 'The offering of the draft; publishing makes it that of the SDKs.',
  })
  offering_id: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Epoch milliseconds; null while unpublished.',
  })
  published_at: number | null;

  @ApiProperty({ type: Boolean, description: 'Of the draft, otherwise of the published version.' })
  automatically_scale_font_size: boolean;

  @ApiProperty({ type: OfferingDto, required: false, description: 'Only when expanded.' })
  offering?: OfferingDto;

  @ApiProperty({
    type: Boolean,
    required: false,
    description: 'In a list with expanded problems: whether there are unpublished changes.',
  })
  has_draft?: boolean;

  @ApiProperty({ type: PaywallComponentsDto, required: false, description: 'Only when expanded.' })
  components?: PaywallComponentsDto;

  @ApiProperty({
    type: [PaywallProblemDto],
    required: false,
    description:
      'With `components`, or expanded in a list: problems of the draft, otherwise of the published version. Errors come first; at most 100.',
  })
  problems?: PaywallProblemDto[];
}

export class PaywallListDto extends listOf(PaywallDto) {}

export class DeletedPaywallDto extends deletedOf('paywall') {}

export class PaywallVersionDto {
  @ApiProperty({ enum: ['paywall_version'] })
  object: 'paywall_version';

  @ApiProperty({ type: 'integer' })
  revision: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  published_at: number;

  @ApiProperty({
    type: String,
    description: 'Email address of a person, id of a secret key or client, or `system`.',
    example: 'ada@example.com',
  })
  published_by: string;

  @ApiProperty({ type: Boolean, description: 'Whether SDKs receive this version.' })
  is_current: boolean;

  @ApiProperty({ type: PaywallContentDto, required: false, description: 'Only when expanded.' })
  components?: PaywallContentDto;
}

export class PaywallVersionListDto extends listOf(PaywallVersionDto) {}

export class PaywallTemplateDto {
  @ApiProperty({ enum: ['paywall_template'] })
  object: 'paywall_template';

  @ApiProperty({ type: String, example: 'simple' })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: String })
  description: string;

  @ApiProperty({ ...jsonObject, description: 'Fields of `PATCH …/paywalls/{paywall_id}`.' })
  document: Record<string, unknown>;
}

export class PaywallTemplateListDto extends listOf(PaywallTemplateDto) {}

/** The 422 of a draft with errors. */
export class PaywallErrorDto extends V2ErrorDto {
  @ApiProperty({
    type: [PaywallProblemDto],
    required: false,
    description: 'All problems of the draft, if they are the reason.',
  })
  problems?: PaywallProblemDto[];
}

export class ListPaywallsQuery extends PageQuery {
  @TextParameter({ max: 255, description: 'Only the paywall of this offering.' })
  offering_id: string | null;

  @ExpandParameter(['items.offering', 'items.problems'])
  expand: ReadonlySet<string>;
}

export class GetPaywallQuery {
  @ExpandParameter(['offering', 'components'])
  expand: ReadonlySet<string>;
}

export class ListPaywallVersionsQuery extends PageQuery {
  @ExpandParameter(['items.components'])
  expand: ReadonlySet<string>;
}
