import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { BooleanField } from '../../../platform/http/bodies/fields.js';

@BodyExample({ enabled: true })
export class UpdateAuthSettingsDto {
  @BooleanField({ optional: true, description: 'Let customers sign in.' })
  enabled?: boolean;

  @BooleanField({ optional: true, description: 'Let apps sign in customers who have no account yet.' })
  allow_anonymous?: boolean;
}

export class AuthSettingsDto {
  @ApiProperty({ enum: ['auth_settings'] })
  object: 'auth_settings';

  @ApiProperty({ type: Boolean, description: 'Whether customers can sign in. Default false.' })
  enabled: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'Whether apps can sign in customers without an account. Default false.',
  })
  allow_anonymous: boolean;
}
