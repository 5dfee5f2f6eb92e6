import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';

@BodyExample({
  grant_type: 'refresh_token',
  client_id: 'oac_mjvu2kq6r0a1b2c3d4e5f6g7',
  refresh_token: `rtk_${'A'.repeat(43)}`,
})
export class TokenRequestDto {
  @ApiProperty({ enum: ['authorization_code', 'refresh_token'] })
  grant_type: string;

  @ApiProperty({ type: String, example: 'oac_mjvu2kq6r0a1b2c3d4e5f6g7' })
  client_id: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'From the redirect. Valid once, for 10 minutes.',
  })
  code?: string;

  @ApiProperty({ type: String, required: false, description: 'PKCE: 43 to 128 characters.' })
  code_verifier?: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'If present, it must be the one of the authorization request.',
  })
  redirect_uri?: string;

  @ApiProperty({ type: String, required: false, example: 'rtk_…' })
  refresh_token?: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'With a refresh token: fewer scopes than granted.',
  })
  scope?: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'RFC 8707. If present, it must be the one of the authorization request.',
  })
  resource?: string;
}

export class OauthTokenSetDto {
  @ApiProperty({ type: String, example: 'atk_…' })
  access_token: string;

  @ApiProperty({ enum: ['Bearer'] })
  token_type: 'Bearer';

  @ApiProperty({ type: 'integer', example: 3600, description: 'Seconds.' })
  expires_in: number;

  @ApiProperty({
    type: String,
    example: 'rtk_…',
    description: 'Valid once, for 30 days. Each refresh returns a new one.',
  })
  refresh_token: string;

  @ApiProperty({
    type: String,
    example: 'project:read project:write',
    description: 'The scopes that the user granted.',
  })
  scope: string;
}

@BodyExample({ token: `rtk_${'A'.repeat(43)}` })
export class RevocationRequestDto {
  @ApiProperty({ type: String, description: 'An access token or a refresh token.' })
  token: string;

  @ApiProperty({ enum: ['access_token', 'refresh_token'], required: false })
  token_type_hint?: string;

  @ApiProperty({ type: String, required: false })
  client_id?: string;
}
