import { Body, Controller, Post, Req } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import { Anonymous } from '../../../platform/auth/access.js';
import { OauthErrorDto } from '../../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { OauthIssuerService } from '../oauth-issuer.service.js';
import { OauthLimitsService } from '../oauth-limits.service.js';
import { clientMetadataOf } from './client-metadata.policy.js';
import { presentClient, RegisterClientDto, RegisteredClientDto } from './client-registration.dto.js';
import { ClientsService } from './clients.service.js';

@ApiTags('OAuth')
@Controller('oauth/register')
export class ClientRegistrationController {
  constructor(
    private readonly clients: ClientsService,
    private readonly issuer: OauthIssuerService,
    private readonly limits: OauthLimitsService,
  ) {}

  @Post()
  @Anonymous()
  @ApiOperation({
    operationId: 'registerOauthClient',
    summary: 'Register a client',
    description:
      'Registers a program that will ask users for access (RFC 7591). There is no secret: codes are bound to the redirect URI and to PKCE. A client that is unused for 30 days is deleted.',
  })
  @ApiBody({ type: RegisterClientDto })
  @ApiCreatedResponse({ type: RegisteredClientDto })
  @ApiBadRequestResponse({ type: OauthErrorDto })
  @ApiNotFoundResponse({ type: OauthErrorDto, description: 'Clients do not reach this server by https.' })
  @ApiTooManyRequestsResponse({ type: OauthErrorDto, description: 'More than 20 an hour from one address.' })
  async register(@Req() request: ApiRequest, @Body() body: unknown): Promise<RegisteredClientDto> {
    this.issuer.forRequest(request);
    const metadata = clientMetadataOf(body);
    await this.limits.countRegistration(request.ip);
    return presentClient(await this.clients.register(metadata));
  }
}
