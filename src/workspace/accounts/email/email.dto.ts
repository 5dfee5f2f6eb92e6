import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { EmailField } from '../../../platform/http/bodies/email.field.js';
import { StringField } from '../../../platform/http/bodies/fields.js';
import { CREDENTIAL_MAX, OkDto } from '../account.dto.js';
import { NormalizedPassword } from '../passwords/password.fields.js';

@BodyExample({ email: 'new@example.com', password: 'correct horse battery' })
export class ChangeEmailDto {
  @EmailField()
  email: string;

  @NormalizedPassword()
  @StringField({ max: CREDENTIAL_MAX })
  password: string;

  @StringField({
    max: 100,
    optional: true,
    nullable: true,
    description: 'Required if the account has two-factor on: six digits from the app, or a recovery code.',
    example: '123456',
  })
  code?: string | null;
}

export class OkEmailDto extends OkDto {
  @ApiProperty({ type: String })
  email: string;
}

export class ResentVerificationDto extends OkEmailDto {
  @ApiProperty({
    enum: [true],
    type: Boolean,
    required: false,
    description: 'The address is confirmed already; no mail was sent.',
  })
  already_verified?: true;
}
