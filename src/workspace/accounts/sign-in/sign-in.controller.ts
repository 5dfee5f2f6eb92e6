import { Body, Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiBody,
  ApiExtraModels,
  ApiForbiddenResponse,
  ApiOkResponse,
  ApiOperation,
  ApiPayloadTooLargeResponse,
  ApiServiceUnavailableResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { Anonymous } from '../../../platform/auth/access.js';
import { SignInPolicy } from '../../../platform/auth/editions/sign-in-policy.js';
import { Config } from '../../../platform/config/config.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { AccountErrorDto, V1ErrorDto } from '../../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { AuthConfigDto, OkDto, SignInDto } from '../account.dto.js';
import { clientOf } from '../sessions/client.js';
import { SameOriginGuard } from '../same-origin.guard.js';
import { clearSessionCookie, sessionToken, setSessionCookie } from '../sessions/session-cookie.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SignUpService } from '../sign-up/sign-up.service.js';
import { CompleteSignInDto } from '../two-factor/two-factor.dto.js';
import { SignInService } from './sign-in.service.js';
import { answerSignIn, SignInAnswerDto } from './sign-in-answer.js';

/** The DTOs of customer login belong to a higher area. */
const CUSTOMER_LOGIN = 'CustomerLoginDto';
const TOKEN_SET = 'TokenSetDto';

const either = (...names: string[]): { anyOf: { $ref: string }[] } => ({
  anyOf: names.map((name) => ({ $ref: getSchemaPath(name) })),
});
const eitherError = either(AccountErrorDto.name, V1ErrorDto.name);

@ApiTags('Accounts')
@ApiExtraModels(AccountErrorDto, V1ErrorDto, SignInDto, SignInAnswerDto)
@Controller('auth')
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly sessions: SessionsService,
    private readonly policy: SignInPolicy,
    private readonly signUps: SignUpService,
    private readonly config: Config,
  ) {}

  @Get('config')
  @Anonymous()
  @ApiOperation({
    operationId: 'getAuthConfig',
    summary: 'Get the sign-in methods',
    description:
      'The sign-in methods of this server, and whether the first account still has to be created. For sign-in pages.',
  })
  @ApiOkResponse({ type: AuthConfigDto })
  async authConfig(): Promise<AuthConfigDto> {
    const signup = await this.signUps.state();
    return { edition: this.config.edition, signup, sso: this.policy.offersSso };
  }

  @Post('login')
  @HttpCode(200)
  @Anonymous()
  @UseGuards(SameOriginGuard)
  @ApiOperation({
    operationId: 'login',
    summary: 'Sign in',
    description:
      'Checks the email address and password and sets the session cookie. The operations of this page then run as you. An account with two-factor gets a `login_token` instead of a session. With an `Authorization` header it is the sign-in of a customer instead, as native SDKs send it: the same as `POST /v1/auth/login`, never with a cookie.',
    security: [{}, { public_key: [] }],
  })
  @ApiBody({
    schema: {
      ...either(SignInDto.name, CUSTOMER_LOGIN),
      example: { email: 'you@example.com', password: 'correct horse battery' },
    },
  })
  @ApiOkResponse({ schema: either(SignInAnswerDto.name, TOKEN_SET) })
  @ApiBadRequestResponse({ description: 'A field is missing or invalid.', schema: eitherError })
  @ApiUnauthorizedResponse({
    description:
      'The email address is unknown or the password is wrong; or the key or ID token is not valid.',
    schema: eitherError,
  })
  @ApiForbiddenResponse({
    description:
      'The request comes from another site; the organization of the address requires its identity provider (`type: sso_required`, with `sso_url`); or customers cannot sign in.',
    schema: eitherError,
  })
  @ApiPayloadTooLargeResponse({ schema: eitherError })
  @ApiTooManyRequestsResponse({ schema: eitherError })
  @ApiServiceUnavailableResponse({ schema: eitherError })
  async login(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Body() { email, password }: SignInDto,
  ): Promise<SignInAnswerDto> {
    const step = await this.signIn.signIn(email, password, clientOf(request));
    return answerSignIn(request, response, step, this.config);
  }

  @Post('login/2fa')
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
  async completeLogin(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Body() { login_token: loginToken, code, recovery_code: recoveryCode }: CompleteSignInDto,
  ): Promise<OkDto> {
    const given = code ?? recoveryCode ?? null;
    if (given === null || (code && recoveryCode))
      throw ApiError.parameter('code', 'Send either code or recovery_code.');
    const token = await this.signIn.completeWithCode(loginToken, given, clientOf(request));
    setSessionCookie(request, response, token, this.config);
    return { ok: true };
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
