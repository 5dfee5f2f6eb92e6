import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { PublicApiKeyDto } from '../../catalog/apps/app.dto.js';
import { presentPublicKey } from '../../catalog/apps/app.presenter.js';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { RequirePermission } from '../../platform/auth/access.js';
import { V2ErrorDto } from '../../platform/http/error.dto.js';
import { ImportPublicApiKeyDto } from './public-key-import.dto.js';
import { PublicKeyImportsService } from './public-key-imports.service.js';

@ApiTags('Imports')
@Controller('v2/projects/:project_id/import/apps/:app_id/public_key')
export class PublicKeyImportController {
  constructor(private readonly keys: PublicKeyImportsService) {}

  @Post()
  @HttpCode(200)
  @RequirePermission('project_configuration:apps:read_write')
  @ApiOperation({
    operationId: 'importPublicApiKey',
    summary: 'Keep the public key of a shipped app',
    description:
      "Replaces the app's public key by the one that its shipped builds already send. The former key stops at once. A key belongs to one app of the whole server, and stays with the project that used it first.",
  })
  @ApiOkResponse({ type: PublicApiKeyDto })
  @ApiConflictResponse({ type: V2ErrorDto, description: 'An app has the key, or another project used it.' })
  @ApiUnprocessableEntityResponse({
    type: V2ErrorDto,
    description: 'On the hosted edition: the store has not verified the credentials of the app.',
  })
  async import(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_id') appId: string,
    @Body() body: ImportPublicApiKeyDto,
  ): Promise<PublicApiKeyDto> {
    return presentPublicKey(await this.keys.import(write, appId, body.public_key));
  }
}
