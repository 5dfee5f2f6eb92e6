import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { paywallTemplates } from '../../../libs/paywalls/index.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { Config } from '../../platform/config/config.js';
import { completeList } from '../../platform/http/lists/lists.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { PaywallTemplateListDto } from './paywall.dto.js';
import { presentTemplate } from './paywall.presenter.js';

@ApiTags('Paywalls')
@Controller('v2/projects/:project_id/paywall_templates')
export class PaywallTemplatesController {
  constructor(private readonly config: Config) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:offerings:read',
    operationId: 'listPaywallTemplates',
    summary: 'List paywall templates',
    description: 'Documents from which a paywall can start.',
    ok: PaywallTemplateListDto,
  })
  list(@Req() request: ApiRequest): PaywallTemplateListDto {
    const presented = paywallTemplates.map((template) => presentTemplate(template, this.config.baseUrl));
    return completeList(request, presented);
  }
}
