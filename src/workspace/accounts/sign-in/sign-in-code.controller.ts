import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiForbiddenResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { Anonymous } from '../../../platform/auth/access.js';
import { Config } from '../../../platform/config/config.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { AccountErrorDto } from '../../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { OkDto } from '../account.dto.js';
import { SameOriginGuard } from '../same-origin.guard.js';
import { clientOf } from '../sessions/client.js';
import { setSessionCookie } from '../sessions/session-cookie.js';
import { SecondStepsService } from '../two-factor/second-steps.service.js';
import { CompleteSignInDto } from '../two-factor/two-factor.dto.js';

@ApiTags('Accounts')
@Controller('auth/login/2fa')
export class SecondStepController {
  constructor(
    private readonly steps: SecondStepsService,
    private readonly config: Config,
  ) {}

  @Post()
  @HttpCode(200)
  @Anonymous()
  @UseGuards(SameOriginGuard)
  @ApiOperation({
    operationId: 'completeLogin',
    summary: 'Sign in with a code',
    description:
      'Completes a sign-in to an account with two-factor and sets the session cookie. Send `code` or `recovery_code`. The fifth wrong code ends the sign-in.',
  })
  @ApiOkResponse({ type: OkDto })
  @ApiBadRequestResponse({ type: AccountErrorDto })
  @ApiUnauthorizedResponse({
    type: AccountErrorDto,
    description:
      'The code is wrong or was used before (`two_factor_invalid`), or the sign-in has ended (`authentication_error`): begin again with the password.',
  })
  @ApiForbiddenResponse({
    type: AccountErrorDto,
    description:
      'The request comes from another site, or the organization of the address requires its identity provider since the first step (`type: sso_required`).',
  })
  @ApiTooManyRequestsResponse({ type: AccountErrorDto })
  async complete(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Body() { login_token: loginToken, code, recovery_code: recoveryCode }: CompleteSignInDto,
  ): Promise<OkDto> {
    const given = code ?? recoveryCode ?? null;
    if (given === null || (code && recoveryCode))
      throw ApiError.parameter('code', 'Send either code or recovery_code.');
    const token = await this.steps.complete(loginToken, given, clientOf(request));
    setSessionCookie(request, response, token, this.config);
    return { ok: true };
  }
}
