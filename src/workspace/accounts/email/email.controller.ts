import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import {
  ApiBadGatewayResponse,
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiForbiddenResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { Anonymous, RequireAccountSession } from '../../../platform/auth/access.js';
import { CurrentPrincipal } from '../../../platform/auth/current-principal.js';
import { Config } from '../../../platform/config/config.js';
import { AccountErrorDto } from '../../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { OkDto } from '../account.dto.js';
import { LinkCheckLimitGuard } from '../links/link-check-limit.guard.js';
import { TokenDto } from '../links/link.dto.js';
import { clientOf } from '../sessions/client.js';
import { AccountEmailService } from './account-email.service.js';
import { assertDomainAllowed } from './email-domain.policy.js';
import { ChangeEmailDto, OkEmailDto, ResentVerificationDto } from './email.dto.js';

const LINK_PROBLEM =
  'The link does not work (`type: token_invalid`; `reason`: `not_found`, `expired`, `used` or `replaced`).';

const SSO_KEEPS_ADDRESS =
  'The organization of the present address requires its identity provider (`type: sso_required`), which also changes addresses.';

@ApiTags('Accounts')
@Controller('auth/email')
export class EmailController {
  constructor(
    private readonly emails: AccountEmailService,
    private readonly config: Config,
  ) {}

  @Post('verify')
  @HttpCode(200)
  @Anonymous()
  @UseGuards(LinkCheckLimitGuard)
  @ApiOperation({
    operationId: 'verifyEmail',
    summary: 'Confirm an email address',
    description: 'Uses the link that the hosted edition sends to new accounts. Needs no session.',
  })
  @ApiOkResponse({ type: OkEmailDto })
  @ApiBadRequestResponse({ type: AccountErrorDto, description: LINK_PROBLEM })
  @ApiTooManyRequestsResponse({ type: AccountErrorDto, description: 'More than 60 links a minute.' })
  async verify(@Body() { token }: TokenDto): Promise<OkEmailDto> {
    return { ok: true, email: await this.emails.verify(token) };
  }

  @Post('verify/resend')
  @HttpCode(200)
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'resendEmailVerification',
    summary: 'Send the confirmation link again',
    description: 'The links sent before stop working. Sends nothing if the address is confirmed.',
  })
  @ApiOkResponse({ type: ResentVerificationDto })
  @ApiTooManyRequestsResponse({ type: AccountErrorDto, description: 'More than 5 an hour.' })
  @ApiBadGatewayResponse({
    type: AccountErrorDto,
    description: 'The mail server did not accept the mail (`type: mail_error`).',
  })
  async resend(@CurrentPrincipal() { userId }: SessionPrincipal): Promise<ResentVerificationDto> {
    const { email, emailVerified } = await this.emails.resendVerification(userId);
    return emailVerified ? { ok: true, email, already_verified: true } : { ok: true, email };
  }

  @Post('change')
  @HttpCode(200)
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'changeEmail',
    summary: 'Change your email address',
    description:
      'Sends a link to the new address, which works once, for 24 hours, and a notice to the present one. The address changes when the link is used. The answer is the same if the new address has an account; then no link is sent.',
  })
  @ApiOkResponse({ type: OkDto })
  @ApiBadRequestResponse({
    type: AccountErrorDto,
    description: 'The address is not valid or is the present one, or the password is wrong.',
  })
  @ApiUnauthorizedResponse({
    type: AccountErrorDto,
    description:
      'Not signed in, or the code is missing (`two_factor_required`) or wrong (`two_factor_invalid`).',
  })
  @ApiForbiddenResponse({ type: AccountErrorDto, description: SSO_KEEPS_ADDRESS })
  @ApiTooManyRequestsResponse({
    type: AccountErrorDto,
    description: 'More than 5 an hour, or too many wrong passwords.',
  })
  async change(
    @Req() request: ApiRequest,
    @CurrentPrincipal() principal: SessionPrincipal,
    @Body() { email, password, code = null }: ChangeEmailDto,
  ): Promise<OkDto> {
    assertDomainAllowed(email, this.config);
    await this.emails.requestChange(principal, { email, password, code }, clientOf(request));
    return { ok: true };
  }

  @Post('change/confirm')
  @HttpCode(200)
  @Anonymous()
  @UseGuards(LinkCheckLimitGuard)
  @ApiOperation({
    operationId: 'confirmEmailChange',
    summary: 'Confirm a new email address',
    description: 'Uses the link that was sent to the new address. Needs no session, and ends none.',
  })
  @ApiOkResponse({ type: OkEmailDto })
  @ApiBadRequestResponse({ type: AccountErrorDto, description: LINK_PROBLEM })
  @ApiConflictResponse({
    type: AccountErrorDto,
    description: 'Another account has taken the address meanwhile.',
  })
  @ApiForbiddenResponse({ type: AccountErrorDto, description: SSO_KEEPS_ADDRESS })
  @ApiTooManyRequestsResponse({ type: AccountErrorDto, description: 'More than 60 links a minute.' })
  async confirm(@Body() { token }: TokenDto): Promise<OkEmailDto> {
    return { ok: true, email: await this.emails.confirmChange(token) };
  }

  @Post('change/cancel')
  @HttpCode(200)
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'cancelEmailChange',
    summary: 'Cancel the change of your email address',
    description: 'The link that was sent stops working. Also answers 200 if there is none.',
  })
  @ApiOkResponse({ type: OkDto })
  async cancel(@CurrentPrincipal() { userId }: SessionPrincipal): Promise<OkDto> {
    await this.emails.cancelChange(userId);
    return { ok: true };
  }
}
