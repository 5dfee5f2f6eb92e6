import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { type SignInMethod, signInMethods } from '../customer-sessions/sign-in-methods.js';

@BodyExample({ method: 'anonymous' })
export class CustomerLoginDto {
  @ApiProperty({
    enum: signInMethods,
    description:
      '`google`, `apple`, `facebook` and `oidc` are OpenID Connect providers; `anonymous` needs no account.',
  })
  method: SignInMethod;

  @ApiProperty({
    type: String,
    required: false,
    description: 'The ID token of the identity provider, at most 16384 bytes. Required unless anonymous.',
  })
  id_token?: string;

  @ApiProperty({
    type: String,
    required: false,
    description:
      'The anonymous app user id, or an ID token of this server for one, whose purchases the customer takes along. Ids that are not anonymous are ignored.',
  })
  link_to_id?: string;

  @ApiProperty({ type: String, required: false, description: 'Ignored.' })
  scope?: string;
}

@BodyExample({
  grant_type: 'refresh_token',
  refresh_token: 'rdrf_8f14e45fceea167a5a36dedd4bea25438f14e45fceea167a5a36dedd4bea2543',
})
export class CustomerTokenDto {
  @ApiProperty({ enum: ['refresh_token'] })
  grant_type: 'refresh_token';

  @ApiProperty({ type: String })
  refresh_token: string;

  @ApiProperty({ type: String, required: false, description: 'Ignored.' })
  scope?: string;
}

@BodyExample({ token: 'rdrf_8f14e45fceea167a5a36dedd4bea25438f14e45fceea167a5a36dedd4bea2543' })
export class RevokedTokenDto {
  @ApiProperty({ type: String, description: 'A refresh token or an access token.' })
  token: string;

  @ApiProperty({ type: String, required: false, description: 'Not needed: the token shows its type.' })
  token_type_hint?: string;
}

export class TokenSetDto {
  @ApiProperty({ type: String, description: 'JWT for the requests of the SDK.' })
  access_token: string;

  @ApiProperty({ type: String, description: 'Returns the next tokens. Valid once, for 30 days.' })
  refresh_token: string;

  @ApiProperty({
    type: String,
    description: 'JWT for your backend, signed with a key of `/.well-known/jwks.json`.',
  })
  id_token: string;

  @ApiProperty({ enum: ['openid offline_access'] })
  scope: 'openid offline_access';

  @ApiProperty({ enum: [3600], description: 'Seconds until the access token expires.' })
  expires_in: 3600;

  @ApiProperty({ enum: ['Bearer'] })
  token_type: 'Bearer';
}

export class JsonWebKeyDto {
  @ApiProperty({ enum: ['OKP'] })
  kty: 'OKP';

  @ApiProperty({ enum: ['Ed25519'] })
  crv: 'Ed25519';

  @ApiProperty({ type: String, description: 'The raw public key in base64url.' })
  x: string;

  @ApiProperty({ type: String })
  kid: string;

  @ApiProperty({ enum: ['EdDSA'] })
  alg: 'EdDSA';

  @ApiProperty({ enum: ['sig'] })
  use: 'sig';
}

export class JsonWebKeySetDto {
  @ApiProperty({ type: [JsonWebKeyDto] })
  keys: JsonWebKeyDto[];
}
