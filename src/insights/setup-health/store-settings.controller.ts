import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { V2Route } from '../../platform/auth/v2-route.js';
import { StoreSettingsDto } from './store-settings.dto.js';
import { StoreSettingsService } from './store-settings.service.js';

@ApiTags('Apps')
@Controller('v2/projects/:project_id/apps/:app_id/store_settings')
export class StoreSettingsController {
  constructor(private readonly settings: StoreSettingsService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:apps:read',
    operationId: 'getStoreSettings',
    summary: 'Get the values to enter in the store',
    description:
      'The addresses and ids to enter in the settings of the store, and the credentials of the app that this server has.',
    ok: StoreSettingsDto,
  })
  get(@Param('project_id') projectId: string, @Param('app_id') appId: string): Promise<StoreSettingsDto> {
    return this.settings.forApp(projectId, appId);
  }
}
