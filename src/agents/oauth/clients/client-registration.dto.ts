import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { grantTypes } from './client-metadata.policy.js';
import type { OauthClient } from './oauth-client.entity.js';

@BodyExample({ client_name: 'Example agent', redirect_uris: ['http://127.0.0.1/callback'] })
export class RegisterClientDto {
  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: 10,
    description:
      'Where codes may be sent: https, http on this machine (any port), or a scheme of your own such as `cursor://`.',
  })
  redirect_uris: string[];

  @ApiProperty({ type: String, required: false, maxLength: 100, description: 'Name shown to users.' })
  client_name?: string;

  @ApiProperty({ type: String, required: false, format: 'uri' })
  client_uri?: string;

  @ApiProperty({ type: String, required: false, format: 'uri' })
  logo_uri?: string;

  @ApiProperty({ enum: grantTypes, isArray: true, required: false })
  grant_types?: string[];

  @ApiProperty({ enum: ['code'], isArray: true, required: false })
  response_types?: string[];

  @ApiProperty({ type: String, required: false, description: 'Only `none` is offered.' })
  token_endpoint_auth_method?: string;

  @ApiProperty({ type: String, required: false })
  application_type?: string;

  @ApiProperty({ type: String, required: false })
  scope?: string;
}

export class RegisteredClientDto {
  @ApiProperty({ type: String, example: 'oac_mjvu2kq6r0a1b2c3d4e5f6g7' })
  client_id: string;

  @ApiProperty({ type: 'integer', description: 'Epoch seconds.' })
  client_id_issued_at: number;

  @ApiProperty({ type: String })
  client_name: string;

  @ApiProperty({ type: [String] })
  redirect_uris: string[];

  @ApiProperty({ type: String, required: false })
  client_uri?: string;

  @ApiProperty({ type: String, required: false })
  logo_uri?: string;

  @ApiProperty({ enum: grantTypes, isArray: true })
  grant_types: string[];

  @ApiProperty({ enum: ['code'], isArray: true })
  response_types: string[];

  @ApiProperty({ enum: ['none'] })
  token_endpoint_auth_method: 'none';

  @ApiProperty({ type: String, required: false })
  application_type?: string;

  @ApiProperty({ type: String, required: false })
  scope?: string;
}

export function presentClient(client: OauthClient): RegisteredClientDto {
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    client_uri: client.clientUri ?? undefined,
    logo_uri: client.logoUri ?? undefined,
    grant_types: client.grantTypes,
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: client.applicationType ?? undefined,
    scope: client.scope ?? undefined,
  };
}
