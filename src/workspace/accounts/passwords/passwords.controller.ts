import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiForbiddenResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { Anonymous, RequireAccountSession } from '../../../platform/auth/access.js';
import { CurrentPrincipal } from '../../../platform/auth/current-principal.js';
import { Config } from '../../../platform/config/config.js';
import { AccountErrorDto } from '../../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { OkDto } from '../account.dto.js';
import { LinkCheckLimitGuard } from '../links/link-check-limit.guard.js';
import { TokenDto } from '../links/link.dto.js';
import { linkMessages } from '../links/link.policy.js';
import { SameOriginGuard } from '../same-origin.guard.js';
import { clientOf } from '../sessions/client.js';
import { answerSignIn, SignInAnswerDto } from '../sign-in/sign-in-answer.js';
import { ForgottenPasswordsService } from './forgotten-passwords.service.js';
import {
  ChangePasswordDto,
  ForgottenPasswordDto,
  LinkCheckDto,
  OkMessageDto,
  ResetPasswordDto,
} from './password.dto.js';
import { PasswordsService } from './passwords.service.js';

@ApiTags('Accounts')
@Controller('auth/password')
export class PasswordsController {
  constructor(
    private readonly forgotten: ForgottenPasswordsService,
    private readonly passwords: PasswordsService,
    private readonly config: Config,
  ) {}

  @Post('forgot')
  @HttpCode(200)
  @Anonymous()
  @ApiOperation({
    operationId: 'forgotPassword',
    summary: 'Ask for a link to reset a password',
    description:
      'Sends a link that works once, for one hour, if the address has an account whose organization does not require its identity provider. The answer is the same if nothing is sent. An address gets at most three such mails an hour.',
  })
  @ApiOkResponse({ type: OkMessageDto })
  @ApiBadRequestResponse({ type: AccountErrorDto })
  @ApiTooManyRequestsResponse({ type: AccountErrorDto, description: 'More than 5 in 15 minutes.' })
  async forgot(@Req() request: ApiRequest, @Body() { email }: ForgottenPasswordDto): Promise<OkMessageDto> {
    await this.forgotten.request(email, clientOf(request));
    return { ok: true, message: 'If this address has an account, a link is on its way.' };
  }

  @Post('check')
  @HttpCode(200)
  @Anonymous()
  @UseGuards(LinkCheckLimitGuard)
  @ApiOperation({
    operationId: 'checkResetLink',
    summary: 'Check a link to reset a password',
    description: 'Whether the link works, and if not, why. Does not use the link.',
  })
  @ApiOkResponse({ type: LinkCheckDto })
  @ApiBadRequestResponse({ type: AccountErrorDto })
  @ApiTooManyRequestsResponse({ type: AccountErrorDto, description: 'More than 60 links a minute.' })
  async check(@Body() { token }: TokenDto): Promise<LinkCheckDto> {
    const reason = await this.passwords.resetLinkProblem(token);
    return { valid: reason === null, reason, message: reason && linkMessages[reason] };
  }

  @Post('reset')
  @HttpCode(200)
  @Anonymous()
  @UseGuards(SameOriginGuard, LinkCheckLimitGuard)
  @ApiOperation({
    operationId: 'resetPassword',
    summary: 'Reset a password',
    description:
      'Sets the password, confirms the address, ends every session and starts a new one here. An account with two-factor gets a `login_token` instead. A password that is not accepted leaves the link as it is.',
  })
  @ApiOkResponse({ type: SignInAnswerDto })
  @ApiBadRequestResponse({
    type: AccountErrorDto,
    description:
      'The password is not accepted, or the link does not work (`type: token_invalid`; `reason`: `not_found`, `expired`, `used` or `replaced`).',
  })
  @ApiForbiddenResponse({
    type: AccountErrorDto,
    description:
      'The request comes from another site, or the organization of the address requires its identity provider (`type: sso_required`).',
  })
  @ApiTooManyRequestsResponse({ type: AccountErrorDto, description: 'More than 60 links a minute.' })
  async reset(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Body() { token, password }: ResetPasswordDto,
  ): Promise<SignInAnswerDto> {
    const step = await this.passwords.resetByLink(token, password, clientOf(request));
    return answerSignIn(request, response, step, this.config);
  }

  @Post('change')
  @HttpCode(200)
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'changePassword',
    summary: 'Change your password',
    description: 'Ends all other sessions of the user.',
  })
  @ApiOkResponse({ type: OkDto })
  @ApiBadRequestResponse({
    type: AccountErrorDto,
    description: 'The current password is wrong (`param: current_password`), or the new one is not accepted.',
  })
  @ApiTooManyRequestsResponse({
    type: AccountErrorDto,
    description: 'Wrong passwords count like failed sign-ins.',
  })
  async change(
    @Req() request: ApiRequest,
    @CurrentPrincipal() principal: SessionPrincipal,
    @Body() { current_password: currentPassword, password }: ChangePasswordDto,
  ): Promise<OkDto> {
    await this.passwords.change(principal, { currentPassword, password }, clientOf(request));
    return { ok: true };
  }
}
