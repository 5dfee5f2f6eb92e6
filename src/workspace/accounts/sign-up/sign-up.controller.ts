import { Body, Controller, Post, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { Anonymous } from '../../../platform/auth/access.js';
import { Config } from '../../../platform/config/config.js';
import { AccountErrorDto } from '../../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { SignedUpDto, SignUpDto } from '../account.dto.js';
import { isFromOwnMachine } from './own-machine.js';
import { SameOriginGuard } from '../same-origin.guard.js';
import { assertDomainAllowed } from '../email/email-domain.policy.js';
import { clientOf } from '../sessions/client.js';
import { setSessionCookie } from '../sessions/session-cookie.js';
import { SignUpService } from './sign-up.service.js';

const DEFAULT_PROJECT_NAME = 'My project';

@ApiTags('Accounts')
@Controller('auth')
export class SignUpController {
  constructor(
    private readonly signUps: SignUpService,
    private readonly config: Config,
  ) {}

  @Post('signup')
  @Anonymous()
  @UseGuards(SameOriginGuard)
  @ApiOperation({
    operationId: 'signUp',
    summary: 'Create an account',
    description:
      'Creates an account with a first project and sets the session cookie. The first account of a server also becomes admin of the demo project; from another machine it needs the `setup_token` that the server printed at its start. With an `invite_token` the account joins the project of the invite and gets no project of its own, also where sign-up is closed.',
  })
  @ApiCreatedResponse({ type: SignedUpDto })
  @ApiBadRequestResponse({
    type: AccountErrorDto,
    description:
      'A field is missing or not valid, the invite is not open (`type: invite_invalid`), or it is for another address (`type: invite_email_mismatch`).',
  })
  @ApiForbiddenResponse({
    type: AccountErrorDto,
    description:
      'Sign-up is closed, the setup token is missing or wrong (`reason: setup_token_required`), the organization of the address requires its identity provider (`type: sso_required`), or the request comes from another site.',
  })
  @ApiConflictResponse({ type: AccountErrorDto, description: 'The address already has an account.' })
  @ApiTooManyRequestsResponse({ type: AccountErrorDto })
  async signUp(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Body() body: SignUpDto,
  ): Promise<SignedUpDto> {
    const { email, password, name, project_name: projectName = DEFAULT_PROJECT_NAME } = body;
    assertDomainAllowed(email, this.config);
    const account = { email, password, name: name || null, projectName };
    const client = clientOf(request);
    const first = { isFromOwnMachine: isFromOwnMachine(request), setupToken: body.setup_token ?? null };
    const { token, projectId } = body.invite_token
      ? await this.signUps.signUpInvited(account, client, body.invite_token)
      : await this.signUps.signUp(account, client, first);
    setSessionCookie(request, response, token, this.config);
    return { ok: true, project_id: projectId };
  }
}
