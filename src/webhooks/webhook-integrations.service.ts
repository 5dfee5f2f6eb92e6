import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId, newWebhookSecret } from '../../libs/kernel/index.js';
import { AppsService } from '../apps/apps.service.js';
import { CLOCK } from '../config/clock.token.js';
import { Database } from '../database/database.js';
import { ApiError } from '../http/api-error.js';
import type { PageRequest } from '../http/lists.js';
import { OutboundUrlRefused } from '../outbound/outbound-errors.js';
import { OutboundHttpClient } from '../outbound/outbound-http-client.js';
import { Secrets } from '../secrets/secrets.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { authorizationPlace, signingSecretPlace } from './secret-places.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';
import type { CreateWebhookIntegrationDto, UpdateWebhookIntegrationDto } from './webhook-integration.dto.js';
import type { WebhookIntegration } from './webhook-integration.entity.js';
import {
  type WebhookIntegrationChanges,
  WebhookIntegrationsRepository,
} from './webhook-integrations.repository.js';

/** Where a project's events go. */
@Injectable()
export class WebhookIntegrationsService {
  constructor(
    @Inject(WebhookIntegrationsRepository) private readonly repository: WebhookIntegrationsRepository,
    @Inject(DeliveriesRepository) private readonly deliveries: DeliveriesRepository,
    @Inject(WebhookDispatcher) private readonly dispatcher: WebhookDispatcher,
    @Inject(AppsService) private readonly apps: AppsService,
    @Inject(OutboundHttpClient) private readonly outbound: OutboundHttpClient,
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
    await this.assertValid(projectId, body);
    const nowMs = this.clock.nowMs();
    const id = newId('webhook', nowMs);
    const signingSecret = newWebhookSecret();
    const integration: WebhookIntegration = {
      projectId,
      id,
      name: body.name,
      url: body.url,
      environment: body.environment ?? null,
      eventTypes: [...new Set(body.event_types ?? [])],
      appId: body.app_id ?? null,
      enabled: true,
      sealedAuthorizationHeader: this.sealAuthorization(projectId, id, body.authorization_header),
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
  page(projectId: string, page: PageRequest): Promise<WebhookIntegration[]> {
    return this.repository.page(this.database, projectId, page);
  }

  /**
   * Changes what the body names. Deliveries that wait go where the integration leads when they are sent; those
   * of an integration that was paused are sent once it is enabled.
   * @throws ApiError 404, also for an app of another project; 400 for a URL that must not be called
   */
  async update(
    projectId: string,
    id: string,
    body: UpdateWebhookIntegrationDto,
  ): Promise<WebhookIntegration> {
    await this.get(projectId, id);
    await this.assertValid(projectId, body);
    await this.repository.update(this.database, projectId, id, this.changesOf(projectId, id, body));
    if (body.enabled) this.dispatcher.wake();
    return this.get(projectId, id);
  }

  /**
   * Deletes an integration and its open deliveries; gives the time (epoch ms). A delivery that a purchase at
   * the same moment still adds is dropped by the dispatcher.
   * @throws ApiError 404
   */
  async delete(projectId: string, id: string): Promise<number> {
    await this.database.transaction(async (tx) => {
      if (!(await this.repository.delete(tx, projectId, id))) {
        throw ApiError.missing('webhook integration', id);
      }
      await this.deliveries.dropOpen(tx, projectId, id);
    });
    return this.clock.nowMs();
  }

  private changesOf(
    projectId: string,
    id: string,
    body: UpdateWebhookIntegrationDto,
  ): WebhookIntegrationChanges {
    const { name, url, authorization_header: authorization, environment, enabled } = body;
    const { event_types: eventTypes, app_id: appId } = body;
    return {
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url }),
      ...(environment !== undefined && { environment }),
      ...(eventTypes !== undefined && { eventTypes: [...new Set(eventTypes)] }),
      ...(appId !== undefined && { appId }),
      ...(enabled !== undefined && { enabled }),
      ...(authorization !== undefined && {
        sealedAuthorizationHeader: this.sealAuthorization(projectId, id, authorization),
      }),
    };
  }

  /** Null and the empty text mean that no header is sent. */
  private sealAuthorization(
    projectId: string,
    id: string,
    authorization: string | null | undefined,
  ): string | null {
    return authorization ? this.secrets.seal(authorization, authorizationPlace(projectId, id)) : null;
  }

  private async assertValid(
    projectId: string,
    { url, app_id: appId }: UpdateWebhookIntegrationDto,
  ): Promise<void> {
    if (url !== undefined) await this.assertCallable(url);
    if (typeof appId === 'string' && !(await this.apps.findIn(this.database, projectId, appId))) {
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
