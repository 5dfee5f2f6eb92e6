import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId, newWebhookSecret } from '../../libs/kernel/index.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { CLOCK } from '../config/clock.token.js';
import { Database } from '../database/database.js';
import { ApiError } from '../http/api-error.js';
import { type PageRequest, unknownCursor } from '../http/lists.js';
import { OutboundUrlRefused } from '../outbound/outbound-errors.js';
import { OutboundHttpClient } from '../outbound/outbound-http-client.js';
import { Secrets } from '../secrets/secrets.js';
import { authorizationPlace, signingSecretPlace } from './secret-places.js';
import type { CreateWebhookIntegrationDto } from './webhook-integration.dto.js';
import type { WebhookIntegration } from './webhook-integration.entity.js';
import { WebhookIntegrationsRepository } from './webhook-integrations.repository.js';

/** Where a project's events go. */
@Injectable()
export class WebhookIntegrationsService {
  constructor(
    @Inject(WebhookIntegrationsRepository) private readonly repository: WebhookIntegrationsRepository,
    @Inject(OutboundHttpClient) private readonly outbound: OutboundHttpClient,
    @Inject(CatalogService) private readonly catalogs: CatalogService,
    @Inject(Secrets) private readonly secrets: Secrets,
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The signing secret is only given here.
   * @throws ApiError 400 for a URL that must not be called, 404 for an app of another project
   */
  async create(
    projectId: string,
    body: CreateWebhookIntegrationDto,
  ): Promise<{ integration: WebhookIntegration; signingSecret: string }> {
    await this.assertCallable(body.url);
    const appId = body.app_id ?? null;
    if (appId !== null) await this.assertApp(projectId, appId);
    const nowMs = this.clock.nowMs();
    const id = newId('webhook', nowMs);
    const signingSecret = newWebhookSecret();
    const authorization = body.authorization_header || null;
    const integration: WebhookIntegration = {
      projectId,
      id,
      name: body.name,
      url: body.url,
      environment: body.environment ?? null,
      eventTypes: [...new Set(body.event_types ?? [])],
      appId,
      enabled: true,
      sealedAuthorizationHeader:
        authorization === null ? null : this.secrets.seal(authorization, authorizationPlace(projectId, id)),
      sealedSigningSecret: this.secrets.seal(signingSecret, signingSecretPlace(projectId, id)),
      createdAt: new Date(nowMs),
    };
    await this.repository.insert(this.database, integration);
    return { integration, signingSecret };
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<WebhookIntegration> {
    const integration = await this.repository.find(this.database, projectId, id);
    if (!integration) throw ApiError.missing('webhook integration', id);
    return integration;
  }

  /** One more than a page. */
  async page(projectId: string, page: PageRequest): Promise<WebhookIntegration[]> {
    if (page.after !== null && !(await this.repository.find(this.database, projectId, page.after))) {
      throw unknownCursor(page.after);
    }
    return this.repository.page(this.database, projectId, page);
  }

  private async assertCallable(url: string): Promise<void> {
    try {
      await this.outbound.checkUrl(url);
    } catch (error) {
      if (error instanceof OutboundUrlRefused) throw ApiError.parameter('url', error.message);
      throw error;
    }
  }

  private async assertApp(projectId: string, appId: string): Promise<void> {
    const catalog = await this.catalogs.get(projectId);
    if (!catalog.apps.has(appId)) throw ApiError.missing('app', appId, 'app_id');
  }
}
