import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireAccountSession } from '../../../platform/auth/access.js';
import { CurrentPrincipal } from '../../../platform/auth/current-principal.js';
import { Config } from '../../../platform/config/config.js';
import { AccountErrorDto } from '../../../platform/http/errors/error.dto.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { OkDto } from '../account.dto.js';
import { clientOf } from '../sessions/client.js';
import { clearSessionCookie } from '../sessions/session-cookie.js';
import { DeleteAccountDto } from './account-deletion.dto.js';
import { AccountDeletionService } from './account-deletion.service.js';

@ApiTags('Accounts')
@Controller('auth/account/delete')
export class AccountDeletionController {
  constructor(
    private readonly deletion: AccountDeletionService,
    private readonly config: Config,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireAccountSession()
  @ApiOperation({
    operationId: 'deleteAccount',
    summary: 'Delete your account',
    description:
      'Deletes your account with its sessions, and the projects and organizations of which you are the only member. You leave the others. This cannot be undone.',
  })
  @ApiOkResponse({ type: OkDto })
  @ApiBadRequestResponse({ type: AccountErrorDto, description: 'The address or the password is wrong.' })
  @ApiUnauthorizedResponse({
    type: AccountErrorDto,
    description:
      'Not signed in, or the code is missing (`two_factor_required`) or wrong (`two_factor_invalid`).',
  })
  @ApiUnprocessableEntityResponse({
    type: AccountErrorDto,
    description:
      'You are the only admin of a project (`reason: last_admin`) or the only owner of an organization (`last_owner`) that has other members.',
  })
  @ApiTooManyRequestsResponse({ type: AccountErrorDto })
  async delete(
    @CurrentPrincipal() principal: SessionPrincipal,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Body() { email, password, code }: DeleteAccountDto,
  ): Promise<OkDto> {
    const proof = { email, password: password ?? null, code: code ?? null };
    await this.deletion.delete(principal, proof, clientOf(request));
    clearSessionCookie(request, response, this.config);
    return { ok: true };
  }
}
