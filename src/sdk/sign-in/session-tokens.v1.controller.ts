import { applyDecorators, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiForbiddenResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { PublicKeyAccess } from '../../platform/auth/access.js';
import { issuerOf } from '../../platform/auth/issuer.js';
import { Config } from '../../platform/config/config.js';
import { EmptyDto } from '../../platform/http/bodies/empty.dto.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import type { PublicKeyPrincipal } from '../../platform/principal/principal.js';
import { SessionTokensService } from './session-tokens.service.js';
import { readRefresh, readRevocation } from './sign-in.body.js';
import { CustomerTokenDto, RevokedTokenDto, TokenSetDto } from './sign-in.dto.js';
import { SignInLimitsService } from './sign-in-limits.service.js';
import { TokenSetsService } from './token-sets.service.js';

const refreshDescription =
  'Replaces the refresh token of a session and returns new tokens. A token that was just replaced, or whose successor was never used, returns the same successor again; any other replaced token ends the session.';
const revokeDescription =
  'A refresh token ends its session with all access tokens; an access token ends alone. Unknown and expired tokens answer 200 too.';

function refreshing(): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    PublicKeyAccess(),
    ApiBody({ type: CustomerTokenDto }),
    ApiOkResponse({ type: TokenSetDto }),
    ApiUnauthorizedResponse({
      type: V1ErrorDto,
      description: 'The API key is missing or unknown (7225), or the customer has to sign in again (7224).',
    }),
    ApiForbiddenResponse({ type: V1ErrorDto, description: 'The key is a secret key.' }),
    ApiTooManyRequestsResponse({ type: V1ErrorDto, description: 'Wait for the seconds of `Retry-After`.' }),
  );
}

function revoking(): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    PublicKeyAccess(),
    ApiBody({ type: RevokedTokenDto }),
    ApiOkResponse({ type: EmptyDto }),
  );
}

@ApiTags('SDK')
@Controller()
export class SessionTokensV1Controller {
  constructor(
    private readonly sessions: SessionTokensService,
    private readonly tokens: TokenSetsService,
    private readonly limits: SignInLimitsService,
    private readonly config: Config,
  ) {}

  @Post('v1/auth/token')
  @refreshing()
  @ApiOperation({
    operationId: 'refreshCustomerTokens',
    summary: "Refresh a customer's tokens",
    description: refreshDescription,
  })
  async refresh(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const refreshToken = readRefresh(request.body);
    await this.limits.countRefresh(request.ip);
    const renewed = await this.sessions.refresh(request.principal as PublicKeyPrincipal, refreshToken);
    const tokens = this.tokens.issue(renewed, issuerOf(request, this.config));
    sendSdkJson(response, 200, JSON.stringify(tokens));
  }

  @Post('auth/token')
  @refreshing()
  @ApiOperation({
    operationId: 'refreshSdkTokens',
    summary: "Refresh a customer's tokens, for native SDKs",
    description: `${refreshDescription} The same as \`POST /v1/auth/token\`.`,
  })
  refreshOfSdk(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.refresh(request, response);
  }

  @Post('v1/auth/revoke')
  @revoking()
  @ApiOperation({
    operationId: 'signOutCustomer',
    summary: 'Sign a customer out',
    description: revokeDescription,
  })
  async revoke(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.sessions.revoke(request.principal as PublicKeyPrincipal, readRevocation(request.body));
    sendSdkJson(response, 200, '{}');
  }

  @Post('auth/revoke')
  @revoking()
  @ApiOperation({
    operationId: 'signOutOfSdk',
    summary: 'Sign a customer out, for native SDKs',
    description: `${revokeDescription} The same as \`POST /v1/auth/revoke\`.`,
  })
  revokeOfSdk(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.revoke(request, response);
  }
}
