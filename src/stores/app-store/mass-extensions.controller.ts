import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { MassExtendDto, MassExtensionDto } from './mass-extension.dto.js';
import type { MassExtensionRow } from './mass-extensions.repository.js';
import { MassExtensionsService } from './mass-extensions.service.js';

function presentMassExtension(row: MassExtensionRow): MassExtensionDto {
  return {
    object: 'subscription_mass_extension',
    id: row.id,
    app_id: row.appId,
    product_id: row.productId,
    environment: row.environment,
    extend_by_days: row.days,
    extend_reason_code: row.reason,
    storefront_country_codes: row.countries,
    complete: row.complete,
    completed_at: row.completedAt?.getTime() ?? null,
    succeeded_count: row.succeeded,
    failed_count: row.failed,
    requested_at: row.requestedAt.getTime(),
  };
}

@ApiTags('Apps')
@Controller('v2/projects/:project_id/apps/:app_id')
export class MassExtensionsController {
  constructor(private readonly extensions: MassExtensionsService) {}

  @Post('actions/mass_extend')
  @HttpCode(202)
  @V2Route({
    permission: 'customer_information:subscriptions:read_write',
    operationId: 'massExtendSubscriptions',
    summary: 'Extend all subscriptions of a product',
    description:
      'Asks the App Store to extend every active subscription of a product. The server records each extension when the App Store reports it.',
    errors: {
      422: 'The app is of another store or has no key, or Apple refuses.',
      503: 'The App Store cannot be reached.',
    },
  })
  @ApiAcceptedResponse({ type: MassExtensionDto })
  async start(
    @CurrentWrite() write: ProjectWrite,
    @Param('app_id') appId: string,
    @Body() body: MassExtendDto,
  ): Promise<MassExtensionDto> {
    return presentMassExtension(await this.extensions.start(write, appId, body));
  }

  @Get('mass_extensions/:request_id')
  @V2Route({
    permission: 'customer_information:subscriptions:read',
    operationId: 'getMassExtension',
    summary: 'Get the progress of a mass extension',
    description: 'The progress of an extension of all subscriptions of a product.',
    ok: MassExtensionDto,
    errors: { 422: 'The app no longer has a key.', 503: 'The App Store cannot be reached.' },
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('app_id') appId: string,
    @Param('request_id') id: string,
  ): Promise<MassExtensionDto> {
    return presentMassExtension(await this.extensions.get(projectId, appId, id));
  }
}
