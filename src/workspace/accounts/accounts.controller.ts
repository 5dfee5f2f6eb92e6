import { Body, Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { Anonymous, RequireAccountSession } from '../../platform/auth/access.js';
import { CurrentPrincipal } from '../../platform/auth/current-principal.js';
import type { SessionPrincipal } from '../../platform/principal/principal.js';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/api-error.js';
import { AccountErrorDto } from '../../platform/http/error.dto.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { ProjectsService } from '../projects/projects.service.js';
import {
  AccountDto,
  AccountUserDto,
  AuthConfigDto,
  OkDto,
  SignUpDto,
  UpdateAccountDto,
} from './account.dto.js';
import { presentAccount, presentUser } from './account.presenter.js';
import { AccountsService } from './accounts.service.js';
import { clientOf } from './sessions/client.js';
import { isFromOwnMachine } from './own-machine.js';
import { SameOriginGuard } from './same-origin.guard.js';
import { setSessionCookie } from './sessions/session-cookie.js';
import { SignUpRulesService } from './sign-up-rules.service.js';
import { SignUpService } from './sign-up.service.js';

const DEFAULT_PROJECT_NAME = 'My project';

@ApiTags('Accounts')
@Controller('auth')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly signUps: SignUpService,
    private readonly signUpRules: SignUpRulesService,
    private readonly projects: ProjectsService,
    private readonly config: Config,
  ) {}

  @Get('config')
  @Anonymous()
  @ApiOperation({
    operationId: 'getAuthConfig',
    summary: 'Get how people can sign in',
    description:
      'Which ways to sign in this server offers, and whether the first account still has to be created. For sign-in pages.',
  })
  @ApiOkResponse({ type: AuthConfigDto })
  async authConfig(): Promise<AuthConfigDto> {
    return { edition: this.config.edition, signup: await this.signUpRules.state(), sso: false };
  }

  @Post('signup')
  @Anonymous()
  @UseGuards(SameOriginGuard)
  @ApiOperation({
    operationId: 'signUp',
    summary: 'Create an account',
    description:
      'Creates an account with a first project and sets the session cookie. The first account of a server also becomes admin of the demo project; from another machine it needs the `setup_token` that the server printed at its start.',
  })
  @ApiCreatedResponse({ type: OkDto })
  @ApiBadRequestResponse({ type: AccountErrorDto })
  @ApiForbiddenResponse({
    type: AccountErrorDto,
    description:
      'Sign-up is closed, the setup token is missing or wrong (`reason: setup_token_required`), or the request comes from another site.',
  })
  @ApiConflictResponse({ type: AccountErrorDto, description: 'The address already has an account.' })
  @ApiTooManyRequestsResponse({ type: AccountErrorDto })
  async signUp(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Body() body: SignUpDto,
  ): Promise<OkDto> {
    if (body.invite_token) {
      throw new ApiError('parameter', 'The invitation does not exist or is no longer open.', {
        param: 'invite_token',
        accountType: 'invite_invalid',
      });
    }
    const { email, password, name, project_name: projectName = DEFAULT_PROJECT_NAME } = body;
    const account = { email, password, name: name || null, projectName };
    const first = { isFromOwnMachine: isFromOwnMachine(request), setupToken: body.setup_token ?? null };
    const token = await this.signUps.signUp(account, clientOf(request), first);
    setSessionCookie(request, response, token, this.config);
    return { ok: true };
  }

  @Get('me')
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'getAccount',
    summary: 'Get your account',
    description:
      'The signed-in person, their settings, and the projects they are a member of with their role in each.',
  })
  @ApiOkResponse({ type: AccountDto })
  async me(@CurrentPrincipal() { userId }: SessionPrincipal): Promise<AccountDto> {
    const [user, projects] = await Promise.all([
      this.accounts.get(userId),
      this.projects.allOfMember(userId),
    ]);
    return presentAccount(user, projects, this.config);
  }

  @Post('me')
  @HttpCode(200)
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'updateAccount',
    summary: 'Change your account',
    description:
      'Changes the name and settings of the signed-in person. Fields that are not in the body stay as they are.',
  })
  @ApiOkResponse({ type: AccountUserDto })
  @ApiBadRequestResponse({ type: AccountErrorDto })
  async updateMe(
    @CurrentPrincipal() { userId }: SessionPrincipal,
    @Body() { name, alert_emails: alertEmails }: UpdateAccountDto,
  ): Promise<AccountUserDto> {
    const changes = { name: name === '' ? null : name, alertEmails };
    return { user: presentUser(await this.accounts.update(userId, changes)) };
  }
}
