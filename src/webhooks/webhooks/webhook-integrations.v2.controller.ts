import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { RequirePermission } from '../../platform/auth/access.js';
import { V2ErrorDto } from '../../platform/http/error.dto.js';
import { placeByCreation } from '../../platform/http/list-place.js';
import { listPage } from '../../platform/http/lists.js';
import { PageQuery } from '../../platform/http/page-query.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { DeliveryLogService } from './delivery-log.service.js';
import { WebhookDeliveryDto } from './webhook-delivery.dto.js';
import { presentDelivery } from './webhook-delivery.presenter.js';
import {
  CreatedWebhookIntegrationDto,
  CreateWebhookIntegrationDto,
  DeletedWebhookIntegrationDto,
  UpdateWebhookIntegrationDto,
  WebhookIntegrationDto,
  WebhookIntegrationListDto,
} from './webhook-integration.dto.js';
import { presentWebhookIntegration } from './webhook-integration.presenter.js';
import { WebhookIntegrationsService } from './webhook-integrations.service.js';

@ApiTags('Webhook integrations')
@Controller('v2/projects/:project_id/integrations/webhooks')
export class WebhookIntegrationsV2Controller {
  constructor(
    private readonly integrations: WebhookIntegrationsService,
    private readonly log: DeliveryLogService,
  ) {}

  @Get()
  @RequirePermission('project_configuration:integrations:read')
  @ApiOperation({ operationId: 'listWebhookIntegrations', summary: 'Webhook integrations, oldest first' })
  @ApiOkResponse({ type: WebhookIntegrationListDto })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<WebhookIntegrationListDto> {
    const rows = await this.integrations.page(projectId, page);
    return listPage(request, page, rows, presentWebhookIntegration, placeByCreation);
  }

  @Post()
  @RequirePermission('project_configuration:integrations:read_write')
  @ApiOperation({ operationId: 'createWebhookIntegration', summary: "Send a project's events to a URL" })
  @ApiCreatedResponse({ type: CreatedWebhookIntegrationDto })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateWebhookIntegrationDto,
  ): Promise<CreatedWebhookIntegrationDto> {
    const { integration, signingSecret } = await this.integrations.create(write, body);
    return { ...presentWebhookIntegration(integration), signing_secret: signingSecret };
  }

  @Get(':webhook_integration_id')
  @RequirePermission('project_configuration:integrations:read')
  @ApiOperation({ operationId: 'getWebhookIntegration', summary: 'A webhook integration' })
  @ApiOkResponse({ type: WebhookIntegrationDto })
  async get(
    @Param('project_id') projectId: string,
    @Param('webhook_integration_id') id: string,
  ): Promise<WebhookIntegrationDto> {
    return presentWebhookIntegration(await this.integrations.get(projectId, id));
  }

  @Post(':webhook_integration_id')
  @HttpCode(200)
  @RequirePermission('project_configuration:integrations:read_write')
  @ApiOperation({
    operationId: 'updateWebhookIntegration',
    summary: 'Change a webhook integration, pause it or resume it',
  })
  @ApiOkResponse({ type: WebhookIntegrationDto })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('webhook_integration_id') id: string,
    @Body() body: UpdateWebhookIntegrationDto,
  ): Promise<WebhookIntegrationDto> {
    return presentWebhookIntegration(await this.integrations.update(write, id, body));
  }

  @Delete(':webhook_integration_id')
  @RequirePermission('project_configuration:integrations:read_write')
  @ApiOperation({
    operationId: 'deleteWebhookIntegration',
    summary: 'Delete a webhook integration; what it has not been sent yet is dropped',
  })
  @ApiOkResponse({ type: DeletedWebhookIntegrationDto })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('webhook_integration_id') id: string,
  ): Promise<DeletedWebhookIntegrationDto> {
    const deletedAt = await this.integrations.delete(write, id);
    return { object: 'webhook_integration', id, deleted_at: deletedAt };
  }

  @Post(':webhook_integration_id/actions/rotate_secret')
  @HttpCode(200)
  @RequirePermission('project_configuration:integrations:read_write')
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Make a new signing secret; the one before signs too for 24 hours',
  })
  @ApiOkResponse({ type: CreatedWebhookIntegrationDto })
  async rotateSecret(
    @CurrentWrite() write: ProjectWrite,
    @Param('webhook_integration_id') id: string,
  ): Promise<CreatedWebhookIntegrationDto> {
    const { integration, signingSecret } = await this.integrations.rotateSecret(write, id);
    return { ...presentWebhookIntegration(integration), signing_secret: signingSecret };
  }

  @Post(':webhook_integration_id/test')
  @RequirePermission('project_configuration:integrations:read_write')
  @ApiOperation({
    operationId: 'testWebhookIntegration',
    summary: 'Send a TEST event, whatever the filters say',
  })
  @ApiCreatedResponse({ type: WebhookDeliveryDto })
  @ApiUnprocessableEntityResponse({ type: V2ErrorDto, description: 'The integration is paused.' })
  async test(
    @CurrentWrite() write: ProjectWrite,
    @Param('webhook_integration_id') id: string,
  ): Promise<WebhookDeliveryDto> {
    return presentDelivery(await this.log.sendTest(write, id));
  }
}
