import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireAccountSession } from '../../platform/auth/access.js';
import { CurrentPrincipal } from '../../platform/auth/current-principal.js';
import { Config } from '../../platform/config/config.js';
import type { SessionPrincipal } from '../../platform/principal/principal.js';
import { AccountErrorDto } from '../../platform/http/errors/error.dto.js';
import { MembershipsService } from '../projects/memberships.service.js';
import { AccountDto, AccountUserDto, UpdateAccountDto } from './account.dto.js';
import { presentAccount, presentUser } from './account.presenter.js';
import { AccountsService } from './accounts.service.js';
import { AccountLinksService } from './links/account-links.service.js';

@ApiTags('Accounts')
@Controller('auth')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly memberships: MembershipsService,
    private readonly links: AccountLinksService,
    private readonly config: Config,
  ) {}

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
    const [user, emailChange, projects] = await Promise.all([
      this.accounts.get(userId),
      this.links.findOpen(userId, 'change_email'),
      this.memberships.accessible(userId),
    ]);
    return presentAccount(user, emailChange, projects, this.config);
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
