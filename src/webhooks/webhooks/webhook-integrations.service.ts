import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId, newWebhookSecret } from '../../../libs/kernel/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { changedFields } from '../../platform/audit/changed-fields.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Database, type Executor, type Transaction } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { PageRequest } from '../../platform/http/lists.js';
import { OutboundUrlRefused } from '../../platform/outbound/outbound-errors.js';
import { OutboundHttpClient } from '../../platform/outbound/outbound-http-client.js';
import { Secrets } from '../../platform/secrets/secrets.js';
import { CircuitsRepository } from './circuits.repository.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { authorizationPlace, previousSigningSecretPlace, signingSecretPlace } from './secret-places.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';
import type { CreateWebhookIntegrationDto, UpdateWebhookIntegrationDto } from './webhook-integration.dto.js';
import type { WebhookIntegration } from './webhook-integration.entity.js';
import {
  type WebhookIntegrationChanges,
  WebhookIntegrationsRepository,
} from './webhook-integrations.repository.js';

/** How long the secret before a rotation signs beside the new one. */
const BOTH_SECRETS_SIGN_MS = 24 * 3_600_000;

/** Where a project's events go. */
@Injectable()
export class WebhookIntegrationsService {
  constructor(
    private readonly repository: WebhookIntegrationsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly circuits: CircuitsRepository,
    private readonly dispatcher: WebhookDispatcher,
    private readonly apps: AppsService,
    private readonly outbound: OutboundHttpClient,
    private readonly secrets: Secrets,
    private readonly audit: AuditLog,
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The signing secret is only given here.
   * @throws ApiError 400 for a URL that must not be called, 404 for an app of another project
   */
  async create(
    write: ProjectWrite,
    body: CreateWebhookIntegrationDto,
  ): Promise<{ integration: WebhookIntegration; signingSecret: string }> {
    const { projectId } = write;
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
      ordered: body.ordered ?? false,
      includeCustomerInfo: body.include_customer_info ?? false,
      sealedAuthorizationHeader: this.sealAuthorization(projectId, id, body.authorization_header),
      sealedSigningSecret: this.secrets.seal(signingSecret, signingSecretPlace(projectId, id)),
      sealedPreviousSigningSecret: null,
      previousSigningSecretUntil: null,
      createdAt: new Date(nowMs),
    };
    await this.database.transaction(async (tx) => {
      await this.repository.insert(tx, integration);
      await this.record(tx, write, 'created', id);
    });
    return { integration, signingSecret };
  }

  /** @throws ApiError 404 */
  get(projectId: string, id: string): Promise<WebhookIntegration> {
    return this.getIn(this.database, projectId, id);
  }

  /**
   * An integration, locked until the transaction ends.
   * @throws ApiError 404
   */
  async lock(tx: Transaction, projectId: string, id: string): Promise<WebhookIntegration> {
    const integration = await this.repository.lock(tx, projectId, id);
    if (!integration) throw ApiError.missing('webhook integration', id);
    return integration;
  }

  /** Those of the given integrations that get only probes because they fail. */
  withOpenCircuit(projectId: string, integrations: WebhookIntegration[]): Promise<Set<string>> {
    return this.circuits.openOf(
      projectId,
      integrations.map(({ id }) => id),
    );
  }

  /** One more than a page. */
  page(projectId: string, page: PageRequest): Promise<WebhookIntegration[]> {
    return this.repository.page(this.database, projectId, page);
  }

  /**
   * Changes what the body names. Deliveries that wait go where the integration leads when they are sent; those
   * of an integration that was paused are sent once it is enabled. Another URL, and being enabled, give the
   * endpoint a new start: earlier failures do not count any more.
   * @throws ApiError 404, also for an app of another project; 400 for a URL that must not be called
   */
  async update(
    write: ProjectWrite,
    id: string,
    body: UpdateWebhookIntegrationDto,
  ): Promise<WebhookIntegration> {
    const { projectId } = write;
    await this.get(projectId, id);
    await this.assertValid(projectId, body);
    const changes = this.changesOf(projectId, id, body);
    return this.database.transaction(async (tx) => {
      const present = await this.getIn(tx, projectId, id);
      const integration = { ...present, ...changes };
      await this.repository.update(tx, projectId, id, changes);
      await this.record(tx, write, 'updated', id, changedFields(present, integration));
      if (body.enabled === true || integration.url !== present.url) {
        await this.circuits.close(tx, projectId, id);
        tx.afterCommit(() => this.dispatcher.wake());
      }
      return integration;
    });
  }

  /**
   * Makes a new signing secret, which is only given here. The present one signs too for 24 hours; one from before
   * that stops at once.
   * @throws ApiError 404
   */
  async rotateSecret(
    write: ProjectWrite,
    id: string,
  ): Promise<{ integration: WebhookIntegration; signingSecret: string }> {
    const { projectId } = write;
    const signingSecret = newWebhookSecret();
    return this.database.transaction(async (tx) => {
      const present = await this.lock(tx, projectId, id);
      const changes = {
        sealedSigningSecret: this.secrets.seal(signingSecret, signingSecretPlace(projectId, id)),
        sealedPreviousSigningSecret: this.resealAsPrevious(present),
        previousSigningSecretUntil: new Date(this.clock.nowMs() + BOTH_SECRETS_SIGN_MS),
      };
      await this.repository.update(tx, projectId, id, changes);
      await this.record(tx, write, 'secret_rotated', id);
      return { integration: { ...present, ...changes }, signingSecret };
    });
  }

  /**
   * Deletes an integration and its open deliveries; gives the time (epoch ms). A delivery that a purchase at
   * the same moment still adds is dropped by the dispatcher.
   * @throws ApiError 404
   */
  async delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    await this.database.transaction(async (tx) => {
      if (!(await this.repository.delete(tx, projectId, id))) {
        throw ApiError.missing('webhook integration', id);
      }
      await this.deliveries.dropOpen(tx, projectId, id);
      await this.circuits.close(tx, projectId, id);
      await this.record(tx, write, 'deleted', id);
    });
    return this.clock.nowMs();
  }

  private async getIn(executor: Executor, projectId: string, id: string): Promise<WebhookIntegration> {
    const integration = await this.repository.find(executor, projectId, id);
    if (!integration) throw ApiError.missing('webhook integration', id);
    return integration;
  }

  private record(
    tx: Transaction,
    write: ProjectWrite,
    action: string,
    targetId: string,
    changed?: string[],
  ): Promise<void> {
    const data = changed && { changed_fields: changed };
    return this.audit.record(tx, write, { action, target: 'webhook_integration', targetId, data });
  }

  private changesOf(
    projectId: string,
    id: string,
    body: UpdateWebhookIntegrationDto,
  ): WebhookIntegrationChanges {
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
        sealedAuthorizationHeader: this.sealAuthorization(projectId, id, authorization),
      }),
    };
  }

  /** Null when the present secret does not open: then it signs nothing either, and rotating is the way out. */
  private resealAsPrevious({ projectId, id, sealedSigningSecret }: WebhookIntegration): string | null {
    try {
      const secret = this.secrets.open(sealedSigningSecret, signingSecretPlace(projectId, id));
      return this.secrets.seal(secret, previousSigningSecretPlace(projectId, id));
    } catch {
      return null;
    }
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
