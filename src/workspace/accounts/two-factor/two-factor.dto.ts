import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { StringField } from '../../../platform/http/bodies/fields.js';
import { CREDENTIAL_MAX } from '../account.dto.js';
import { NormalizedPassword } from '../passwords/password.fields.js';

const CODE_MAX = 100;
const LOGIN_TOKEN_MAX = 200;

@BodyExample({ password: 'correct horse battery' })
export class SetUpTwoFactorDto {
  @NormalizedPassword()
  @StringField({ max: CREDENTIAL_MAX })
  password: string;
}

@BodyExample({ code: '123456' })
export class EnableTwoFactorDto {
  @StringField({ max: CODE_MAX, description: 'Six digits from the authenticator app.', example: '123456' })
  code: string;
}

@BodyExample({ code: '123456' })
export class TwoFactorCodeDto {
  @StringField({
    max: CODE_MAX,
    description: 'Six digits from the authenticator app, or a recovery code.',
    example: '123456',
  })
  code: string;
}

@BodyExample({ login_token: 'tqS7e0vK3aXb1cUd9fWg5hYi2jZk4lAm6nBo8pCq0rE', code: '123456' })
export class CompleteSignInDto {
  @StringField({ max: LOGIN_TOKEN_MAX, description: 'From `POST /auth/login`.' })
  login_token: string;

  @StringField({
    max: CODE_MAX,
    optional: true,
    nullable: true,
    description: 'Six digits from the authenticator app.',
    example: '123456',
  })
  code?: string | null;

  @StringField({
    max: CODE_MAX,
    optional: true,
    nullable: true,
    description: 'Instead of `code`; each works once.',
    example: '0a1b2c3d-4e5f6071-8293a4b5-c6d7e8f9',
  })
  recovery_code?: string | null;
}

export class TwoFactorSecretDto {
  @ApiProperty({
    type: String,
    description: 'Base32, for typing.',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  secret: string;

  @ApiProperty({ type: String, description: 'For a QR code.' })
  otpauth_url: string;
}

export class RecoveryCodesDto {
  @ApiProperty({ type: [String], description: 'Ten codes that work once each. They are not shown again.' })
  recovery_codes: string[];
}
