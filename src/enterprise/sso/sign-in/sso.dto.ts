import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { EmailField } from '../../../platform/http/bodies/email.field.js';
import { StringField } from '../../../platform/http/bodies/fields.js';
import { TextParameter } from '../../../platform/http/lists/query-parameters.js';

const NEXT = 'Path of this server to open after the sign-in; anything else counts as `/`.';

@BodyExample({ email: 'ada@example.com', next: '/' })
export class SsoLookupDto {
  @EmailField()
  email: string;

  @StringField({ min: 0, max: 2000, optional: true, nullable: true, description: NEXT })
  next?: string | null;
}

export class SsoLookupAnswerDto {
  @ApiProperty({
    type: Boolean,
    description: 'Whether people of this domain can sign in through their organization.',
  })
  sso: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'URL where the sign-in starts; null if there is none.',
    example: '/sso/start?email=ada%40example.com',
  })
  url: string | null;
}

export class SsoNextQuery {
  @TextParameter({ description: NEXT })
  next: string | null;
}

export class SsoStartQuery extends SsoNextQuery {
  @TextParameter({ description: 'Address of the person; its domain decides.', example: 'ada@example.com' })
  email: string | null;
}

/** The form that the browser posts from the identity provider. */
export class SamlResponseDto {
  @ApiProperty({ type: String, description: 'The response, in base64. At most 256 KiB.' })
  SAMLResponse: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'The path to open after an IdP-initiated sign-in.',
  })
  RelayState?: string;
}
