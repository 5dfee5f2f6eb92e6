import { applyDecorators, Controller, Get, Header, Req, type Type } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Anonymous } from '../../../platform/auth/access.js';
import { Config } from '../../../platform/config/config.js';
import { V1ErrorDto } from '../../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { OFFLINE_ACCESS, oauthScopes } from '../../../platform/principal/oauth-scopes.js';
import { grantTypes } from '../clients/client-metadata.policy.js';
import { OauthIssuerService } from '../oauth-issuer.service.js';
import { AuthorizationServerDto, ProtectedResourceDto } from './metadata.dto.js';

const CACHED = 'public, max-age=300';

function MetadataRoute(
  path: string,
  type: Type,
  operation: { operationId: string; summary: string; description: string },
): MethodDecorator {
  return applyDecorators(
    Get(path),
    Anonymous(),
    Header('Cache-Control', CACHED),
    ApiOperation(operation),
    ApiOkResponse({ type }),
    ApiNotFoundResponse({ type: V1ErrorDto, description: 'Clients do not reach this server by https.' }),
  );
}

/** Discovery metadata for clients. */
@ApiTags('OAuth')
@Controller('.well-known')
export class MetadataController {
  constructor(
    private readonly issuer: OauthIssuerService,
    private readonly config: Config,
  ) {}

  @MetadataRoute('oauth-authorization-server', AuthorizationServerDto, {
    operationId: 'getAuthorizationServer',
    summary: 'Get the metadata of the authorization server',
    description: 'Endpoints and supported features (RFC 8414). Clients read it automatically.',
  })
  authorizationServer(@Req() request: ApiRequest): AuthorizationServerDto {
    const issuer = this.issuer.forRequest(request);
    return {
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      registration_endpoint: `${issuer}/oauth/register`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      scopes_supported: [...oauthScopes, OFFLINE_ACCESS],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: grantTypes,
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: this.config.oauthDocuments,
      service_documentation: `${issuer}/docs`,
    };
  }

  @MetadataRoute('oauth-protected-resource', ProtectedResourceDto, {
    operationId: 'getProtectedResource',
    summary: 'Get the metadata of the protected resource',
    description:
      'Names the server that issues tokens for this one (RFC 9728). Clients read it automatically.',
  })
  protectedResource(@Req() request: ApiRequest): ProtectedResourceDto {
    const issuer = this.issuer.forRequest(request);
    return {
      resource: `${issuer}/mcp`,
      authorization_servers: [issuer],
      // Clients should start with the minimum and request more when they need it.
      scopes_supported: ['project:read'],
      bearer_methods_supported: ['header'],
      resource_name: 'Tenure',
      resource_documentation: `${issuer}/docs`,
    };
  }

  @MetadataRoute('oauth-protected-resource/mcp', ProtectedResourceDto, {
    operationId: 'getMcpResource',
    summary: 'Get the metadata of /mcp as a protected resource',
    description: 'The same for `/mcp`. With a trailing slash it names the resource `/mcp/`.',
  })
  mcpResource(@Req() request: ApiRequest): ProtectedResourceDto {
    const document = this.protectedResource(request);
    return request.slashedPath === undefined ? document : { ...document, resource: `${document.resource}/` };
  }
}
