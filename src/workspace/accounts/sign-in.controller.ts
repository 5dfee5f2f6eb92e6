import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiExtraModels,
  ApiForbiddenResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { Anonymous } from '../../platform/auth/access.js';
import { Config } from '../../platform/config/config.js';
import { AccountErrorDto, V1ErrorDto } from '../../platform/http/error.dto.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { OkDto, SignInDto } from './account.dto.js';
import { clientOf } from './sessions/client.js';
import { SameOriginGuard } from './same-origin.guard.js';
import { clearSessionCookie, sessionToken } from './sessions/session-cookie.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInService } from './sign-in.service.js';
import { TokenLoginGuard } from './token-login.guard.js';
import { answerSignIn, SignInAnswerDto } from './two-factor/sign-in-answer.js';

@ApiTags('Accounts')
@ApiExtraModels(AccountErrorDto, V1ErrorDto)
@Controller('auth')
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly sessions: SessionsService,
    private readonly config: Config,
  ) {}

  @Post('login')
  @HttpCode(200)
  @Anonymous()
  @UseGuards(TokenLoginGuard, SameOriginGuard)
  @ApiOperation({
    operationId: 'login',
    summary: 'Sign in',
    description:
      'Checks the e-mail address and password and sets the session cookie. The operations of this page then run as you. An account with two-factor gets a `login_token` instead of a session.',
  })
  @ApiOkResponse({ type: SignInAnswerDto })
  @ApiBadRequestResponse({ type: AccountErrorDto })
  @ApiUnauthorizedResponse({
    type: AccountErrorDto,
    description: 'The e-mail address is unknown or the password is wrong.',
  })
  @ApiForbiddenResponse({
    description:
      'The request comes from another site. Or it is the token login of an SDK, whose errors have the SDK format.',
    schema: { anyOf: [{ $ref: getSchemaPath(AccountErrorDto) }, { $ref: getSchemaPath(V1ErrorDto) }] },
  })
  @ApiTooManyRequestsResponse({ type: AccountErrorDto })
  async login(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Body() { email, password }: SignInDto,
  ): Promise<SignInAnswerDto> {
    const step = await this.signIn.signIn(email, password, clientOf(request));
    return answerSignIn(request, response, step, this.config);
  }

  @Post('logout')
  @HttpCode(200)
  @Anonymous()
  @UseGuards(SameOriginGuard)
  @ApiOperation({
    operationId: 'logout',
    summary: 'Sign out',
    description: 'Ends the session of the cookie and clears it. Also answers 200 without a session.',
  })
  @ApiOkResponse({ type: OkDto })
  @ApiForbiddenResponse({ type: AccountErrorDto, description: 'The request comes from another site.' })
  async logout(@Req() request: ApiRequest, @Res({ passthrough: true }) response: Response): Promise<OkDto> {
    const token = sessionToken(request);
    if (token !== null) await this.sessions.end(token);
    clearSessionCookie(request, response, this.config);
    return { ok: true };
  }
}
