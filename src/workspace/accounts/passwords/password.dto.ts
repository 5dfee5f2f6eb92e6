import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { EmailField } from '../../../platform/http/bodies/email.field.js';
import { StringField } from '../../../platform/http/bodies/fields.js';
import { CREDENTIAL_MAX, OkDto } from '../account.dto.js';
import { NewPasswordField, NormalizedPassword } from './password.fields.js';
import { TokenField } from '../links/link.dto.js';
import { type LinkProblem, linkProblems } from '../links/link.policy.js';

@BodyExample({ email: 'you@example.com' })
export class ForgottenPasswordDto {
  @EmailField()
  email: string;
}

@BodyExample({ token: 'Zm9yIGV4YW1wbGUgb25seSwgbm90IGEgcmVhbCBvbmU', password: 'correct horse battery' })
export class ResetPasswordDto {
  @TokenField()
  token: string;

  @NewPasswordField()
  password: string;
}

@BodyExample({ current_password: 'correct horse battery', password: 'staple of the battery' })
export class ChangePasswordDto {
  @NormalizedPassword()
  @StringField({ max: CREDENTIAL_MAX })
  current_password: string;

  @NewPasswordField()
  password: string;
}

export class OkMessageDto extends OkDto {
  @ApiProperty({ type: String })
  message: string;
}

export class LinkCheckDto {
  @ApiProperty({ type: Boolean })
  valid: boolean;

  @ApiProperty({ enum: linkProblems, nullable: true, type: String })
  reason: LinkProblem | null;

  @ApiProperty({ type: String, nullable: true })
  message: string | null;
}
