import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PublicApiKeyDto } from '../../catalog/apps/app.dto.js';
import { presentPublicKey } from '../../catalog/apps/app.presenter.js';
import { AppPublicKeysService } from '../../catalog/apps/app-public-keys.service.js';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { RequirePermission } from '../../platform/auth/access.js';
import { ImportPublicApiKeyDto } from './public-key-import.dto.js';

@ApiTags('Imports')
@Controller('v2/projects/:project_id/import/apps/:app_id/public_key')
export class PublicKeyImportController {
  constructor(private readonly keys: AppPublicKeysService) {}

  @Post()
  @HttpCode(200)
  @RequirePermission('project_configuration:apps:read_write')
  @ApiOperation({
    operationId: 'importPublicApiKey',
    summary: 'Keep the public key of a shipped app',
    description:
      "Replaces the app's public key by the one that its shipped builds already send. The former key stops at once. A key belongs to one app of the whole server.",
  })
  @ApiOkResponse({ type: PublicApiKeyDto })
  async import(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_id') appId: string,
    @Body() body: ImportPublicApiKeyDto,
  ): Promise<PublicApiKeyDto> {
    return presentPublicKey(await this.keys.replace(write, appId, body.public_key));
  }
}
