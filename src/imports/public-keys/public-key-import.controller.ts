import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PublicApiKeyDto } from '../../catalog/apps/app.dto.js';
import { presentPublicKey } from '../../catalog/apps/app.presenter.js';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { ImportPublicApiKeyDto } from './public-key-import.dto.js';
import { PublicKeyImportsService } from './public-key-imports.service.js';

@ApiTags('Imports')
@Controller('v2/projects/:project_id/import/apps/:app_id/public_key')
export class PublicKeyImportController {
  constructor(private readonly keys: PublicKeyImportsService) {}

  @Post()
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'importPublicApiKey',
    summary: 'Import the public key of a shipped app',
    description:
      "Replaces the app's public key with the one that its shipped builds already send. The previous key stops working at once. A key belongs to one app of the whole server, and stays with the project that used it first.",
    ok: PublicApiKeyDto,
    errors: {
      409: 'An app has the key, or another project used it.',
      422: 'On the hosted edition: the store has not verified the credentials of the app.',
    },
  })
  async import(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_id') appId: string,
    @Body() body: ImportPublicApiKeyDto,
  ): Promise<PublicApiKeyDto> {
    return presentPublicKey(await this.keys.import(write, appId, body.public_key));
  }
}
