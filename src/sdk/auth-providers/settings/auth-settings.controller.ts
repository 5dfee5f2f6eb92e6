import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { AuthSettingsDto, UpdateAuthSettingsDto } from './auth-settings.dto.js';
import type { AuthSettings } from './auth-settings.entity.js';
import { AuthSettingsService } from './auth-settings.service.js';

function presentAuthSettings({ enabled, allowAnonymous }: AuthSettings): AuthSettingsDto {
  return { object: 'auth_settings', enabled, allow_anonymous: allowAnonymous };
}

@ApiTags('Customer sign-in')
@Controller('v2/projects/:project_id/auth/settings')
export class AuthSettingsController {
  constructor(private readonly settings: AuthSettingsService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:projects:read',
    operationId: 'getAuthSettings',
    summary: 'Get the sign-in settings',
    description: 'Whether customers can sign in, and whether they can do so anonymously.',
    ok: AuthSettingsDto,
  })
  async get(@Param('project_id') projectId: string): Promise<AuthSettingsDto> {
    return presentAuthSettings(await this.settings.forProject(projectId));
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:projects:read_write',
    operationId: 'updateAuthSettings',
    summary: 'Change the sign-in settings',
    description:
      'Turns sign-in, or anonymous sign-in, on or off. Customers who are signed in when it is turned off stay signed in for up to an hour: their sessions cannot be refreshed until it is on again.',
    ok: AuthSettingsDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: UpdateAuthSettingsDto,
  ): Promise<AuthSettingsDto> {
    return presentAuthSettings(await this.settings.update(write, body));
  }
}
