import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { RedemptionSettingsDto, UpdateRedemptionSettingsDto } from './redemption-settings.dto.js';
import type { RedemptionSettings } from './redemption-settings.entity.js';
import { RedemptionSettingsService } from './redemption-settings.service.js';

@ApiTags('Web purchases')
@Controller('v2/projects/:project_id/redemption_settings')
export class RedemptionSettingsController {
  constructor(private readonly settings: RedemptionSettingsService) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:apps:read',
    operationId: 'getRedemptionSettings',
    summary: 'Get the redemption settings',
    description:
      'Whether web purchases can be redeemed in an app, and the texts and links shown to customers.',
    ok: RedemptionSettingsDto,
  })
  async get(@Param('project_id') projectId: string): Promise<RedemptionSettingsDto> {
    return this.present(await this.settings.forProject(projectId));
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:apps:read_write',
    operationId: 'updateRedemptionSettings',
    summary: 'Change the redemption settings',
    description: 'Absent fields are not changed. Existing links keep their lifetime.',
    ok: RedemptionSettingsDto,
    errors: { 422: 'Mails are turned on, but the server has no mail server.' },
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: UpdateRedemptionSettingsDto,
  ): Promise<RedemptionSettingsDto> {
    return this.present(await this.settings.update(write, body));
  }

  private async present(settings: RedemptionSettings): Promise<RedemptionSettingsDto> {
    return {
      object: 'redemption_settings',
      enabled: settings.enabled,
      url_scheme: settings.urlScheme,
      effective_url_scheme: await this.settings.schemeOf(settings),
      link_minutes: settings.linkMinutes,
      mail_on_purchase: settings.mailOnPurchase,
      mail_on_expired: settings.mailOnExpired ?? this.settings.canSendMail,
      app_name: settings.appName,
      app_store_url: settings.appStoreUrl,
      play_store_url: settings.playStoreUrl,
      support_email: settings.supportEmail,
      can_send_mail: this.settings.canSendMail,
    };
  }
}
