import { Injectable } from '@nestjs/common';
import { AppsService } from '../../../catalog/apps/apps.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { OutboundUrlRefused } from '../../../platform/outbound/outbound-errors.js';
import { OutboundHttpClient } from '../../../platform/outbound/outbound-http.client.js';
import type { UpdateWebhookIntegrationDto } from './webhook-integration.dto.js';

@Injectable()
export class WebhookDestinationsService {
  constructor(
    private readonly apps: AppsService,
    private readonly outbound: OutboundHttpClient,
  ) {}

  /** @throws ApiError 400 for a forbidden URL, 404 for an app of another project */
  async assertValid(
    projectId: string,
    { url, app_id: appId }: Pick<UpdateWebhookIntegrationDto, 'url' | 'app_id'>,
  ): Promise<void> {
    if (url !== undefined) await this.assertCallable(url);
    if (typeof appId === 'string' && !(await this.apps.find(projectId, appId))) {
      throw ApiError.missing('app', appId, 'app_id');
    }
  }

  private async assertCallable(url: string): Promise<void> {
    try {
      await this.outbound.checkUrl(url);
    } catch (error) {
      if (error instanceof OutboundUrlRefused) throw ApiError.parameter('url', error.message);
      throw error;
    }
  }
}
