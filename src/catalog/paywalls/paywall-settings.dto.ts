import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { JsonObjectField } from '../../platform/http/bodies/fields.js';
import type { SettingsFont } from './paywall-settings.policy.js';

const white = { light: { type: 'hex', value: '#ffffff' } };
const colors = 'Colors by name, each as in documents: `light` and maybe `dark`. At most 100.';
const fonts =
  'Fonts by the name that documents use, each with an uploaded file, its family, weight (1 to 1,000) and style (`normal` or `italic`). At most 100.';
const variables =
  'Variables by name, each with its type (`string`, `number` or `boolean`) and the value for apps that set none. At most 100.';

@BodyExample({ colors: { brand: white } })
export class UpdatePaywallSettingsDto {
  @JsonObjectField({ optional: true, description: colors })
  colors?: Record<string, unknown>;

  @JsonObjectField({ optional: true, description: fonts })
  fonts?: Record<string, unknown>;

  @JsonObjectField({ optional: true, description: variables })
  custom_variables?: Record<string, unknown>;
}

const map = { type: 'object', additionalProperties: true } as const;

export class PaywallSettingsDto {
  @ApiProperty({ enum: ['paywall_settings'] })
  object: 'paywall_settings';

  @ApiProperty({ ...map, description: colors, example: { brand: white } })
  colors: Record<string, unknown>;

  @ApiProperty({
    ...map,
    description: fonts,
    example: {
      body: { media_asset_id: 'mdas0mx2dpw2j0223y43', family: 'Inter', weight: 400, style: 'normal' },
    },
  })
  fonts: Record<string, SettingsFont>;

  @ApiProperty({ ...map, description: variables, example: { level: { type: 'number', default_value: 1 } } })
  custom_variables: Record<string, unknown>;
}
