import { ApiProperty } from '@nestjs/swagger';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { oauthScopes, type OauthScope } from '../../../platform/principal/oauth-scopes.js';
import { redirectHost } from '../clients/redirect-uri.policy.js';
import type { ListedGrant } from './grants.repository.js';

export class OauthGrantDto {
  @ApiProperty({ enum: ['oauth_grant'] })
  object: 'oauth_grant';

  @ApiProperty({ type: String, example: 'oag_mjvu2kq6r0a1b2c3' })
  id: string;

  @ApiProperty({
    type: String,
    description: '`oac_…`, or the address of the metadata document of the client.',
  })
  client_id: string;

  @ApiProperty({
    type: String,
    example: 'Example agent',
    description: 'The name that the client registered.',
  })
  client_name: string;

  @ApiProperty({ type: String, example: 'agent.example.com', description: 'Where codes are sent.' })
  client_host: string;

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ type: String })
  project_name: string;

  @ApiProperty({ enum: oauthScopes, isArray: true })
  scopes: OauthScope[];

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'To the minute, epoch milliseconds.' })
  last_used_at: number | null;

  @ApiProperty({
    type: 'integer',
    description: 'When the grant expires unless the client refreshes its token before, epoch milliseconds.',
  })
  expires_at: number;
}

export class OauthGrantListDto extends listOf(OauthGrantDto) {}

export function presentGrant(grant: ListedGrant): OauthGrantDto {
  return {
    object: 'oauth_grant',
    id: grant.id,
    client_id: grant.clientId,
    client_name: grant.clientName,
    client_host: redirectHost(grant.redirectUri),
    project_id: grant.projectId,
    project_name: grant.projectName,
    scopes: grant.scopes,
    created_at: grant.createdAt.getTime(),
    last_used_at: grant.lastUsedAt?.getTime() ?? null,
    expires_at: grant.expiresAt.getTime(),
  };
}
