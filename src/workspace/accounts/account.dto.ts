import { ApiProperty } from '@nestjs/swagger';
import { allPermissions, type MemberRole, type Permission } from '../../platform/principal/permissions.js';
import type { Config } from '../../platform/config/config.js';
import { BooleanField, StringField } from '../../platform/http/bodies/fields.js';
import { EmailField, NormalizedEmail } from '../../platform/http/bodies/email.field.js';
import { NewPasswordField, NormalizedPassword } from './passwords/password.fields.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

const NAME_MAX = 100;
const PROJECT_NAME_MAX = 100;
/** No account has a longer address or password, so longer ones are rejected before hashing. */
export const CREDENTIAL_MAX = 1024;

const editions = ['self-hosted', 'cloud'] as const;
type Edition = Config['edition'];

const noControls = { pattern: /^\P{Cc}*$/u, patternText: 'must not hold control characters' };

@BodyExample({ email: 'you@example.com', password: 'correct horse battery', project_name: 'My project' })
export class SignUpDto {
  @EmailField()
  email: string;

  @NewPasswordField()
  password: string;

  @StringField({ min: 0, max: NAME_MAX, ...noControls, optional: true, nullable: true })
  name?: string | null;

  @StringField({ max: PROJECT_NAME_MAX, optional: true, description: 'Default: My project.' })
  project_name?: string;

  @StringField({
    min: 0,
    max: CREDENTIAL_MAX,
    optional: true,
    nullable: true,
    description: 'From the link of an invite, whose address `email` must be. `project_name` is then ignored.',
  })
  invite_token?: string | null;

  @StringField({
    min: 0,
    max: CREDENTIAL_MAX,
    optional: true,
    nullable: true,
    description:
      'Required for the first account of a server, which prints it at start. Not needed from the same machine.',
  })
  setup_token?: string | null;
}

@BodyExample({ email: 'you@example.com', password: 'correct horse battery' })
export class SignInDto {
  @NormalizedEmail()
  @StringField({ max: CREDENTIAL_MAX, example: 'ada@example.com' })
  email: string;

  @NormalizedPassword()
  @StringField({ max: CREDENTIAL_MAX })
  password: string;
}

@BodyExample({ name: 'Ada', alert_emails: true })
export class UpdateAccountDto {
  @StringField({
    min: 0,
    max: NAME_MAX,
    ...noControls,
    optional: true,
    nullable: true,
    description: 'Null or empty clears it.',
  })
  name?: string | null;

  @BooleanField({ optional: true })
  alert_emails?: boolean;
}

export class OkDto {
  @ApiProperty({ enum: [true], type: Boolean })
  ok: true;
}

export class SignedUpDto extends OkDto {
  @ApiProperty({ type: String, description: 'The new project; with an invite, the project of the invite.' })
  project_id: string;
}

export class AuthConfigDto {
  @ApiProperty({ enum: editions })
  edition: Edition;

  @ApiProperty({ enum: ['open', 'first_account', 'closed'], description: 'Who can create an account.' })
  signup: 'open' | 'first_account' | 'closed';

  @ApiProperty({ type: Boolean, description: 'Whether people can sign in through an identity provider.' })
  sso: boolean;
}

export class UserDto {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  email: string;

  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  @ApiProperty({ type: Boolean })
  email_verified: boolean;

  @ApiProperty({ type: Boolean })
  alert_emails: boolean;

  @ApiProperty({ type: Boolean })
  has_password: boolean;

  @ApiProperty({ type: Boolean })
  has_mfa: boolean;
}

export class AccountPlanDto {
  @ApiProperty({ enum: editions })
  edition: Edition;

  @ApiProperty({ enum: ['free'] })
  plan: 'free';

  @ApiProperty({
    type: Boolean,
    description:
      'Whether the email address still has to be confirmed, which only the hosted edition asks for.',
  })
  email_verification_required: boolean;
}

export class AccountProjectDto {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({
    type: String,
    description: '`admin`, `developer`, `viewer`, or the id of a custom role of the organization.',
    example: 'admin',
  })
  role: MemberRole;

  @ApiProperty({
    enum: allPermissions,
    enumName: 'Permission',
    isArray: true,
    description: 'Permissions of the user in the project.',
    example: ['project_configuration:projects:read'],
  })
  permissions: Permission[];

  @ApiProperty({ type: String, nullable: true })
  organization_id: string | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;
}

export class EmailChangeDto {
  @ApiProperty({ type: String, description: 'The new address.' })
  email: string;

  @ApiProperty({
    type: 'integer',
    description: 'When the link in the mail stops working, epoch milliseconds.',
  })
  expires_at: number;
}

export class AccountDto {
  @ApiProperty({ type: UserDto })
  user: UserDto;

  @ApiProperty({
    type: EmailChangeDto,
    nullable: true,
    description:
      'A change of address that waits for the link in the mail to the new one; null if there is none.',
  })
  email_change: EmailChangeDto | null;

  @ApiProperty({ type: AccountPlanDto })
  account: AccountPlanDto;

  @ApiProperty({ type: [AccountProjectDto] })
  projects: AccountProjectDto[];
}

export class AccountUserDto {
  @ApiProperty({ type: UserDto })
  user: UserDto;
}
