import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiForbiddenResponse,
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { shownDevice } from '../../customers/customers/last-seen/device.js';
import { PublicKeyAccess } from '../../platform/auth/access.js';
import { issuerOf } from '../../platform/auth/issuer.js';
import { Config } from '../../platform/config/config.js';
import { V1ErrorDto } from '../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import type { PublicKeyPrincipal } from '../../platform/principal/principal.js';
import { LoginService } from './login.service.js';
import { readLogin } from './sign-in.body.js';
import { CustomerLoginDto, TokenSetDto } from './sign-in.dto.js';
import { SignInLimitsService } from './sign-in-limits.service.js';
import { TokenSetsService } from './token-sets.service.js';

@ApiTags('SDK')
@Controller('v1/auth/login')
export class LoginV1Controller {
  constructor(
    private readonly logins: LoginService,
    private readonly tokens: TokenSetsService,
    private readonly limits: SignInLimitsService,
    private readonly config: Config,
  ) {}

  /** Also handles `POST /auth/login` with an `Authorization` header. */
  @Post()
  @HttpCode(200)
  @PublicKeyAccess()
  @ApiOperation({
    operationId: 'signInCustomer',
    summary: 'Sign a customer in',
    description:
      "Verifies the ID token of the project's identity provider, or creates an anonymous customer, and returns tokens for that customer of this app.",
  })
  @ApiBody({ type: CustomerLoginDto })
  @ApiOkResponse({ type: TokenSetDto })
  @ApiUnauthorizedResponse({
    type: V1ErrorDto,
    description: 'The API key is missing or unknown (7225), or the ID token fails a check (7224).',
  })
  @ApiForbiddenResponse({
    type: V1ErrorDto,
    description:
      'The key is a secret key (7225); or sign-in is turned off, or no enabled provider issued the token (7224).',
  })
  @ApiTooManyRequestsResponse({ type: V1ErrorDto, description: 'Wait for the seconds of `Retry-After`.' })
  @ApiServiceUnavailableResponse({
    type: V1ErrorDto,
    description:
      'The keys of the identity provider could not be loaded. Wait for the seconds of `Retry-After`.',
  })
  async login(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const body = readLogin(request.body);
    await this.limits.countLogin(request.ip);
    const issuer = issuerOf(request, this.config);
    const started = await this.logins.login({
      ...body,
      app: request.principal as PublicKeyPrincipal,
      issuer,
      ip: request.ip,
      device: shownDevice(request),
      requestId: request.id,
    });
    sendSdkJson(response, 200, JSON.stringify(this.tokens.issue(started, issuer)));
  }
}
