import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { NormalizedEmail } from '../../../platform/http/bodies/email.field.js';
import { StringField } from '../../../platform/http/bodies/fields.js';
import { CREDENTIAL_MAX } from '../account.dto.js';
import { NormalizedPassword } from '../passwords/password.fields.js';

@BodyExample({ email: 'you@example.com', password: 'correct horse battery', code: '123456' })
export class DeleteAccountDto {
  @NormalizedEmail()
  @StringField({ max: CREDENTIAL_MAX, description: 'Your own, to confirm.', example: 'ada@example.com' })
  email: string;

  @NormalizedPassword()
  @StringField({
    max: CREDENTIAL_MAX,
    optional: true,
    nullable: true,
    description: 'Required if the account has a password.',
  })
  password?: string | null;

  @StringField({
    max: 100,
    optional: true,
    nullable: true,
    description: 'Required if the account has two-factor on: six digits from the app, or a recovery code.',
    example: '123456',
  })
  code?: string | null;
}
