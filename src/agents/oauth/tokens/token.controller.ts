import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiConsumes,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { Anonymous } from '../../../platform/auth/access.js';
import { EmptyDto } from '../../../platform/http/bodies/empty.dto.js';
import { OauthErrorDto } from '../../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { oauthError } from '../oauth-error.js';
import { OauthForm } from '../oauth-form.js';
import { OauthIssuerService } from '../oauth-issuer.service.js';
import { OauthLimitsService } from '../oauth-limits.service.js';
import { RevocationRequestDto, TokenRequestDto, OauthTokenSetDto } from './token.dto.js';
import { codeExchangeOf, tokenRefreshOf } from './token-requests.js';
import { TokensService } from './tokens.service.js';

const noHttps = { type: OauthErrorDto, description: 'Clients do not reach this server by https.' };
/** Some clients send JSON instead of a form. */
const FORMS = ['application/x-www-form-urlencoded', 'application/json'];

@ApiTags('OAuth')
@Controller('oauth')
export class TokenController {
  constructor(
    private readonly tokens: TokensService,
    private readonly issuer: OauthIssuerService,
    private readonly limits: OauthLimitsService,
  ) {}

  @Post('token')
  @HttpCode(200)
  @Anonymous()
  @ApiOperation({
    operationId: 'exchangeOauthToken',
    summary: 'Get tokens',
    description:
      'Exchanges a code, or a refresh token, for an access token and a new refresh token. Both are replaced each time. A code that is used a second time ends the grant. So does a replaced refresh token, unless it was just replaced or its successor was never used: then the answer has the same successor again.',
  })
  @ApiConsumes(...FORMS)
  @ApiBody({ type: TokenRequestDto })
  @ApiOkResponse({ type: OauthTokenSetDto })
  @ApiBadRequestResponse({ type: OauthErrorDto })
  @ApiUnauthorizedResponse({ type: OauthErrorDto, description: 'The client is unknown.' })
  @ApiNotFoundResponse(noHttps)
  @ApiTooManyRequestsResponse({ type: OauthErrorDto })
  async token(@Req() request: ApiRequest, @Body() body: unknown): Promise<OauthTokenSetDto> {
    await this.limits.countTokens(request.ip);
    const form = OauthForm.parse(body);
    const issuer = this.issuer.forRequest(request);
    switch (form.required('grant_type')) {
      case 'authorization_code':
        return this.tokens.exchange(codeExchangeOf(form), issuer);
      case 'refresh_token':
        return this.tokens.refresh(tokenRefreshOf(form), issuer);
      default:
        throw oauthError('unsupported_grant_type', 'grant_type is authorization_code or refresh_token.');
    }
  }

  @Post('revoke')
  @HttpCode(200)
  @Anonymous()
  @ApiOperation({
    operationId: 'revokeOauthToken',
    summary: 'Revoke tokens',
    description:
      'Revokes the grant of an access or refresh token with all its tokens (RFC 7009). Unknown tokens answer 200 too.',
  })
  @ApiConsumes(...FORMS)
  @ApiBody({ type: RevocationRequestDto })
  @ApiOkResponse({ type: EmptyDto })
  @ApiBadRequestResponse({ type: OauthErrorDto })
  @ApiTooManyRequestsResponse({ type: OauthErrorDto })
  async revoke(@Req() request: ApiRequest, @Body() body: unknown): Promise<EmptyDto> {
    await this.limits.countTokens(request.ip);
    const form = OauthForm.parse(body);
    await this.tokens.revoke(form.required('token'), form.optional('client_id'));
    return {};
  }
}
