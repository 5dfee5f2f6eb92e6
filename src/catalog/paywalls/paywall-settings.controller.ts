import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { PaywallSettingsDto, UpdatePaywallSettingsDto } from './paywall-settings.dto.js';
import type { SharedSettings } from './paywall-settings.policy.js';
import { PaywallSettingsService } from './paywall-settings.service.js';

function present({ colors, fonts, customVariables }: SharedSettings): PaywallSettingsDto {
  return { object: 'paywall_settings', colors, fonts, custom_variables: customVariables };
}

@ApiTags('Paywalls')
@Controller('v2/projects/:project_id/paywall_settings')
export class PaywallSettingsController {
  constructor(private readonly settings: PaywallSettingsService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:offerings:read',
    operationId: 'getPaywallSettings',
    summary: 'Get the settings of paywalls',
    description: 'Colors, fonts and variables that all paywalls of the project share.',
    ok: PaywallSettingsDto,
  })
  async get(@Param('project_id') projectId: string): Promise<PaywallSettingsDto> {
    return present(await this.settings.get(projectId));
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:offerings:read_write',
    operationId: 'updatePaywallSettings',
    summary: 'Change the settings of paywalls',
    description: 'Replaces the given fields. Apps receive the change without publishing paywalls again.',
    ok: PaywallSettingsDto,
    errors: { 409: 'A draft or a published paywall has a color, font or variable that would be removed.' },
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: UpdatePaywallSettingsDto,
  ): Promise<PaywallSettingsDto> {
    return present(await this.settings.update(write, body));
  }
}
