import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../platform/auth/access.js';
import { StoreSettingsDto } from './store-settings.dto.js';
import { StoreSettingsService } from './store-settings.service.js';

@ApiTags('Apps')
@Controller('v2/projects/:project_id/apps/:app_id/store_settings')
export class StoreSettingsController {
  constructor(private readonly settings: StoreSettingsService) {}

  @Get()
  @RequirePermission('project_configuration:apps:read')
  @ApiOperation({
    operationId: 'getStoreSettings',
    summary: 'Get the values to enter in the store',
    description:
      'The addresses and ids to enter in the settings of the store, and which credentials of the app are set on this server.',
  })
  @ApiOkResponse({ type: StoreSettingsDto })
  get(@Param('project_id') projectId: string, @Param('app_id') appId: string): Promise<StoreSettingsDto> {
    return this.settings.of(projectId, appId);
  }
}
