import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireAccountSession } from '../../../platform/auth/access.js';
import { CurrentPrincipal } from '../../../platform/auth/current-principal.js';
import { Config } from '../../../platform/config/config.js';
import { AccountErrorDto } from '../../../platform/http/errors/error.dto.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { OkDto } from '../account.dto.js';
import { SessionListDto } from './session.dto.js';
import { presentSession } from './session.presenter.js';
import { clearSessionCookie } from './session-cookie.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('Accounts')
@Controller('auth/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly config: Config,
  ) {}

  @Get()
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'listSessions',
    summary: 'List your sessions',
    description: 'Where you are signed in, newest first. Expired sessions are left out.',
  })
  @ApiOkResponse({ type: SessionListDto })
  @ApiBadRequestResponse({ type: AccountErrorDto })
  async list(
    @CurrentPrincipal() { userId, sessionId }: SessionPrincipal,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<SessionListDto> {
    const rows = await this.sessions.page(userId, page);
    return listPage(request, page, rows, (row) => presentSession(row, sessionId), placeByCreation);
  }

  @Delete(':session_id')
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'endSession',
    summary: 'End a session',
    description: 'Signs one of your browsers out. Ending the session of this request also clears its cookie.',
  })
  @ApiOkResponse({ type: OkDto })
  @ApiNotFoundResponse({ type: AccountErrorDto, description: 'You have no such session.' })
  async end(
    @CurrentPrincipal() { userId, sessionId }: SessionPrincipal,
    @Param('session_id') id: string,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OkDto> {
    await this.sessions.endOne(userId, id);
    if (id === sessionId) clearSessionCookie(request, response, this.config);
    return { ok: true };
  }

  @Post('revoke_others')
  @HttpCode(200)
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'endOtherSessions',
    summary: 'End your other sessions',
    description: 'Signs you out everywhere else, and ends sign-ins that wait for a code.',
  })
  @ApiOkResponse({ type: OkDto })
  async endOthers(@CurrentPrincipal() { userId, sessionId }: SessionPrincipal): Promise<OkDto> {
    await this.sessions.endAllOthers(userId, sessionId);
    return { ok: true };
  }
}
