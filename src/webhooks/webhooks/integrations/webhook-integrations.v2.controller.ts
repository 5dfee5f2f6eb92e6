import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../../platform/audit/project-write.js';
import { V2Route } from '../../../platform/auth/v2-route.js';
import { placeByCreation } from '../../../platform/http/lists/list-place.js';
import { listPage } from '../../../platform/http/lists/lists.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { DeliveryRequestsService } from '../deliveries/delivery-requests.service.js';
import { WebhookDeliveryDto } from '../deliveries/webhook-delivery.dto.js';
import { presentDelivery } from '../deliveries/webhook-delivery.presenter.js';
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
    private readonly requests: DeliveryRequestsService,
  ) {}

  @Get()
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'listWebhookIntegrations',
    summary: 'List webhook integrations',
    description: 'The webhook integrations of the project, oldest first.',
    ok: WebhookIntegrationListDto,
  })
  async list(
    @Param('project_id') projectId: string,
    @Query() page: PageQuery,
    @Req() request: ApiRequest,
  ): Promise<WebhookIntegrationListDto> {
    const rows = await this.integrations.page(projectId, page);
    return listPage(request, page, rows, presentWebhookIntegration, placeByCreation);
  }

  @Post()
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'createWebhookIntegration',
    summary: 'Create a webhook integration',
    description: 'Sends the events of the project to a URL. The answer shows the secret that signs them.',
    created: CreatedWebhookIntegrationDto,
  })
  async create(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: CreateWebhookIntegrationDto,
  ): Promise<CreatedWebhookIntegrationDto> {
    const { integration, signingSecret } = await this.integrations.create(write, body);
    return { ...presentWebhookIntegration(integration), signing_secret: signingSecret };
  }

  @Get(':webhook_integration_id')
  @V2Route({
    permission: 'project_configuration:integrations:read',
    operationId: 'getWebhookIntegration',
    summary: 'Get a webhook integration',
    description: 'A webhook integration with its filters, without its secret.',
    ok: WebhookIntegrationDto,
  })
  async get(
    @Param('project_id') projectId: string,
    @Param('webhook_integration_id') id: string,
  ): Promise<WebhookIntegrationDto> {
    return presentWebhookIntegration(await this.integrations.get(projectId, id));
  }

  @Post(':webhook_integration_id')
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'updateWebhookIntegration',
    summary: 'Change a webhook integration',
    description:
      'Changes the URL, name or filters of a webhook integration, pauses it or resumes it. Fields that are not in the body stay as they are.',
    ok: WebhookIntegrationDto,
  })
  async update(
    @CurrentWrite() write: ProjectWrite,
    @Param('webhook_integration_id') id: string,
    @Body() body: UpdateWebhookIntegrationDto,
  ): Promise<WebhookIntegrationDto> {
    return presentWebhookIntegration(await this.integrations.update(write, id, body));
  }

  @Delete(':webhook_integration_id')
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'deleteWebhookIntegration',
    summary: 'Delete a webhook integration',
    description: 'Deletes a webhook integration. Events that have not been sent to it yet are dropped.',
    ok: DeletedWebhookIntegrationDto,
  })
  async delete(
    @CurrentWrite() write: ProjectWrite,
    @Param('webhook_integration_id') id: string,
  ): Promise<DeletedWebhookIntegrationDto> {
    const deletedAt = await this.integrations.delete(write, id);
    return { object: 'webhook_integration', id, deleted_at: deletedAt };
  }

  @Post(':webhook_integration_id/actions/rotate_secret')
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook',
    description:
      'Creates a new signing secret and returns it. For 24 hours, requests are also signed with the previous one.',
    ok: CreatedWebhookIntegrationDto,
  })
  async rotateSecret(
    @CurrentWrite() write: ProjectWrite,
    @Param('webhook_integration_id') id: string,
  ): Promise<CreatedWebhookIntegrationDto> {
    const { integration, signingSecret } = await this.integrations.rotateSecret(write, id);
    return { ...presentWebhookIntegration(integration), signing_secret: signingSecret };
  }

  @Post(':webhook_integration_id/test')
  @V2Route({
    permission: 'project_configuration:integrations:read_write',
    operationId: 'testWebhookIntegration',
    summary: 'Send a test event',
    description: 'Sends a TEST event to the integration, whatever its filters are.',
    created: WebhookDeliveryDto,
    errors: { 422: 'The integration is paused.' },
  })
  async test(
    @CurrentWrite() write: ProjectWrite,
    @Param('webhook_integration_id') id: string,
  ): Promise<WebhookDeliveryDto> {
    return presentDelivery(await this.requests.sendTest(write, id));
  }
}
