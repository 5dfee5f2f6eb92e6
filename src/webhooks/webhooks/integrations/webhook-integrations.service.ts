import { Injectable } from '@nestjs/common';
import { newId, newWebhookSecret } from '../../../../libs/kernel/index.js';
import { AppsService } from '../../../catalog/apps/apps.service.js';
import type { AuditAction } from '../../../platform/audit/audit-actions.js';
import { type AuditChanges, auditChanges, type PlainField } from '../../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import {
  ProjectWritesService,
  type WriteTransaction,
} from '../../../platform/audit/project-writes.service.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { OutboundUrlRefused } from '../../../platform/outbound/outbound-errors.js';
import { OutboundHttpClient } from '../../../platform/outbound/outbound-http.client.js';
import type { IntegrationKey } from '../../deliveries/log/delivery-log.repository.js';
import { EndpointQueuesService } from '../../deliveries/circuits/endpoint-queues.service.js';
import type { CreateWebhookIntegrationDto, UpdateWebhookIntegrationDto } from './webhook-integration.dto.js';
import type { WebhookIntegration } from '../../deliveries/integrations/integration.entity.js';
import { IntegrationsService } from '../../deliveries/integrations/integrations.service.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';

type WebhookChanges = Partial<Omit<WebhookIntegration, 'projectId' | 'id' | 'type' | 'createdAt'>>;

/** Fields whose values are audited. */
const recordedFields: PlainField<WebhookIntegration>[] = [
  'name',
  'url',
  'environment',
  'eventTypes',
  'appId',
  'enabled',
  'ordered',
  'includeCustomerInfo',
];

/** Period after a rotation during which the previous secret is also used for signing. */
const BOTH_SECRETS_SIGN_MS = 24 * 3_600_000;

@Injectable()
export class WebhookIntegrationsService {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly apps: AppsService,
    private readonly outbound: OutboundHttpClient,
    private readonly secrets: WebhookSecretsService,
    private readonly queues: EndpointQueuesService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** Only this returns the signing secret. @throws ApiError 400 for a forbidden URL, 404 for an app of another project */
  async create(
    write: ProjectWrite,
    body: CreateWebhookIntegrationDto,
  ): Promise<{ integration: WebhookIntegration; signingSecret: string }> {
    const { projectId } = write;
    await this.assertDestination(projectId, body);
    const signingSecret = newWebhookSecret();
    return this.writes.run(write, async (tx) => {
      const nowMs = tx.nowMs();
      const key = { projectId, id: newId('webhook', nowMs) };
      const integration: WebhookIntegration = {
        ...key,
        type: 'webhook',
        name: body.name,
        url: body.url,
        environment: body.environment ?? null,
        eventTypes: [...new Set(body.event_types ?? [])],
        appId: body.app_id ?? null,
        enabled: true,
        ordered: body.ordered ?? false,
        includeCustomerInfo: body.include_customer_info ?? false,
        sealedAuthorizationHeader: this.secrets.sealAuthorization(key, body.authorization_header),
        sealedSigningSecret: this.secrets.sealSigning(key, signingSecret),
        sealedPreviousSigningSecret: null,
        previousSigningSecretUntil: null,
        settings: null,
        sealedSettings: null,
        eventNames: null,
        revenue: null,
        attributes: null,
        sendFrom: null,
        createdAt: new Date(nowMs),
      };
      await this.integrations.insert(tx, integration);
      await this.record(tx, 'created', key.id);
      return { integration, signingSecret };
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<WebhookIntegration> {
    const integration = await this.integrations.findWebhook(projectId, id);
    if (!integration) throw ApiError.missing('webhook integration', id);
    return integration;
  }

  /** Locked until the transaction ends. @throws ApiError 404 */
  async lock(tx: Transaction, projectId: string, id: string): Promise<WebhookIntegration> {
    const integration = await this.integrations.lockWebhook(tx, projectId, id);
    if (!integration) throw ApiError.missing('webhook integration', id);
    return integration;
  }

  /** Locked until the transaction ends. @throws ApiError 404; 422 while the integration is paused */
  async lockEnabled(
    tx: Transaction,
    { projectId, integrationId }: IntegrationKey,
  ): Promise<WebhookIntegration> {
    const integration = await this.lock(tx, projectId, integrationId);
    if (!integration.enabled) throw new ApiError('impossible', 'The webhook integration is paused.');
    return integration;
  }

  /** Those of the given integrations that receive only probes because they fail. */
  withOpenCircuit(projectId: string, integrations: WebhookIntegration[]): Promise<Set<string>> {
    return this.queues.withOpenCircuit(
      projectId,
      integrations.map(({ id }) => id),
    );
  }

  /** Up to `limit + 1` integrations. */
  page(projectId: string, page: PageRequest): Promise<WebhookIntegration[]> {
    return this.integrations.webhooks(projectId, page);
  }

  /**
   * Changes the given fields. Waiting deliveries use the URL at the time of sending; those of a paused integration are
   * sent once it is enabled. Enabling an integration or changing its URL resets the endpoint's failures.
   * @throws ApiError 404, also for an app of another project; 400 for a forbidden URL
   */
  async update(
    write: ProjectWrite,
    id: string,
    body: UpdateWebhookIntegrationDto,
  ): Promise<WebhookIntegration> {
    const { projectId } = write;
    await this.get(projectId, id);
    await this.assertDestination(projectId, body);
    const changes = this.changesOf(projectId, id, body);
    return this.writes.run(write, async (tx) => {
      const present = await this.lock(tx, projectId, id);
      const integration = { ...present, ...changes };
      await this.integrations.update(tx, present, changes);
      await this.record(tx, 'updated', id, auditChanges(present, integration, recordedFields));
      if (body.enabled === true || integration.url !== present.url) {
        await this.queues.restart(tx, projectId, id);
      }
      return integration;
    });
  }

  /** Returned only here. The old secret also signs for 24 h, the one before it no longer. @throws ApiError 404 */
  async rotateSecret(
    write: ProjectWrite,
    id: string,
  ): Promise<{ integration: WebhookIntegration; signingSecret: string }> {
    const { projectId } = write;
    const signingSecret = newWebhookSecret();
    return this.writes.run(write, async (tx) => {
      const present = await this.lock(tx, projectId, id);
      const changes = {
        sealedSigningSecret: this.secrets.sealSigning(present, signingSecret),
        sealedPreviousSigningSecret: this.secrets.resealAsPrevious(present),
        previousSigningSecretUntil: new Date(tx.nowMs() + BOTH_SECRETS_SIGN_MS),
      };
      await this.integrations.update(tx, present, changes);
      await this.record(tx, 'secret_rotated', id);
      return { integration: { ...present, ...changes }, signingSecret };
    });
  }

  /** Deletes an integration and its pending deliveries. Returns the time (epoch ms). @throws ApiError 404 */
  async delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      if (!(await this.integrations.deleteWebhook(tx, projectId, id))) {
        throw ApiError.missing('webhook integration', id);
      }
      await this.record(tx, 'deleted', id);
      return tx.nowMs();
    });
  }

  /** @throws ApiError 400 for a forbidden URL, 404 for an app of another project */
  private async assertDestination(
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

  private record(
    tx: WriteTransaction,
    action: AuditAction<'webhook_integration'>,
    targetId: string,
    data?: AuditChanges,
  ): Promise<void> {
    return tx.audit({ action, target: 'webhook_integration', targetId, data });
  }

  private changesOf(projectId: string, id: string, body: UpdateWebhookIntegrationDto): WebhookChanges {
    const { name, url, authorization_header: authorization, environment, enabled } = body;
    const {
      event_types: eventTypes,
      app_id: appId,
      ordered,
      include_customer_info: includeCustomerInfo,
    } = body;
    return {
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url }),
      ...(environment !== undefined && { environment }),
      ...(eventTypes !== undefined && { eventTypes: [...new Set(eventTypes)] }),
      ...(appId !== undefined && { appId }),
      ...(enabled !== undefined && { enabled }),
      ...(ordered !== undefined && { ordered }),
      ...(includeCustomerInfo !== undefined && { includeCustomerInfo }),
      ...(authorization !== undefined && {
        sealedAuthorizationHeader: this.secrets.sealAuthorization({ projectId, id }, authorization),
      }),
    };
  }
}
