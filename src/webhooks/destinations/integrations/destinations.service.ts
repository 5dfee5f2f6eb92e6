import { Injectable } from '@nestjs/common';
import {
  type Definition,
  definitionOf,
  type DestinationType,
  type EventNames,
  namesOfSetSecrets,
  type Settings,
} from '../../../../libs/destinations/index.js';
import { newId } from '../../../../libs/kernel/index.js';
import { AppsService } from '../../../catalog/apps/apps.service.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import {
  ProjectWritesService,
  type WriteTransaction,
} from '../../../platform/audit/project-writes.service.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { OutboundUrlRefused } from '../../../platform/outbound/outbound-errors.js';
import { ProviderHttpClient } from '../../../platform/outbound/provider-http.client.js';
import { EndpointQueuesService } from '../../deliveries/circuits/endpoint-queues.service.js';
import type { DestinationIntegration } from '../../deliveries/integrations/integration.entity.js';
import { IntegrationsService } from '../../deliveries/integrations/integrations.service.js';
import { DestinationCallsService } from '../sending/destination-calls.service.js';
import { DestinationSettingsService } from '../settings/destination-settings.service.js';
import { destinationChanges, type DestinationVersion } from './destination-changes.js';
import {
  assertTakesEventTypes,
  eventColumns,
  eventNamesAfter,
  settingsAfter,
} from './destination-draft.policy.js';
import type { CreateDestinationDto, UpdateDestinationDto } from './destination.dto.js';
import type { DestinationWithSecretNames } from './destination.presenter.js';

const MAX_DESTINATIONS = 50;

@Injectable()
export class DestinationsService {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly apps: AppsService,
    private readonly settings: DestinationSettingsService,
    private readonly calls: DestinationCallsService,
    private readonly ownHosts: ProviderHttpClient,
    private readonly queues: EndpointQueuesService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** @throws ApiError 400 naming the field or setting, 404 for an app of another project, 422 for too many */
  async create(write: ProjectWrite, body: CreateDestinationDto): Promise<DestinationWithSecretNames> {
    const { projectId } = write;
    const definition = definitionOf(body.type);
    await this.assertApp(projectId, body.app_id);
    assertTakesEventTypes(definition, body.event_types);
    const settings = settingsAfter(definition, {}, body.settings);
    const eventNames = eventNamesAfter(definition, body.event_names ?? {});
    const columns = eventColumns(definition, settings, eventNames, body.event_types ?? []);
    await this.assertAddress(body.type, settings);
    return this.writes.run(write, async (tx) => {
      if ((await this.integrations.countDestinations(tx, projectId)) >= MAX_DESTINATIONS)
        throw new ApiError('impossible', `A project has at most ${MAX_DESTINATIONS} destinations.`);
      const nowMs = tx.nowMs();
      const id = newId('destination', nowMs);
      const integration: DestinationIntegration = {
        projectId,
        id,
        type: body.type,
        name: body.name ?? definition.name,
        url: null,
        ...columns,
        appId: body.app_id ?? null,
        enabled: body.enabled ?? true,
        includeCustomerInfo: false,
        sealedAuthorizationHeader: null,
        sealedSigningSecret: null,
        sealedPreviousSigningSecret: null,
        previousSigningSecretUntil: null,
        ...this.settings.seal(projectId, id, body.type, settings),
        eventNames: namesColumn(eventNames),
        revenue: body.revenue ?? 'gross',
        attributes: body.attributes ?? 'all',
        sendFrom: new Date(body.send_from ?? nowMs),
        createdAt: new Date(nowMs),
      };
      await this.integrations.insert(tx, integration);
      await tx.audit({ action: 'created', target: 'destination', targetId: id, data: { type: body.type } });
      return { integration, secretsSet: namesOfSetSecrets(definition, settings) };
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<DestinationIntegration> {
    const integration = await this.integrations.findDestination(projectId, id);
    if (!integration) throw ApiError.missing('destination', id);
    return integration;
  }

  /** Locked until the transaction ends. @throws ApiError 404 */
  async lock(tx: Transaction, projectId: string, id: string): Promise<DestinationIntegration> {
    const integration = await this.integrations.lockDestination(tx, projectId, id);
    if (!integration) throw ApiError.missing('destination', id);
    return integration;
  }

  /** Locked until the transaction ends. @throws ApiError 404; 422 while the destination is paused */
  async lockEnabled(tx: Transaction, projectId: string, id: string): Promise<DestinationIntegration> {
    const integration = await this.lock(tx, projectId, id);
    if (!integration.enabled) throw new ApiError('impossible', 'The destination is paused.');
    return integration;
  }

  /** Up to `limit + 1` destinations. `type`: null for every type. */
  page(
    projectId: string,
    type: DestinationType | null,
    page: PageRequest,
  ): Promise<DestinationIntegration[]> {
    return this.integrations.destinations(projectId, type, page);
  }

  /** Secrets that cannot be opened are missing, so that a person enters them again. */
  withSecretNames(integration: DestinationIntegration): DestinationWithSecretNames {
    const settings = this.settingsOf(integration);
    return { integration, secretsSet: namesOfSetSecrets(definitionOf(integration.type), settings) };
  }

  /**
   * Changes the given fields. Open deliveries use the settings at the time of sending. Changing settings and enabling
   * the destination reset its failures.
   * @throws ApiError 404, also for an app of another project; 400 naming the field or setting
   */
  async update(
    write: ProjectWrite,
    id: string,
    body: UpdateDestinationDto,
  ): Promise<DestinationWithSecretNames> {
    const { projectId } = write;
    const { type } = await this.get(projectId, id);
    const definition = definitionOf(type);
    await this.assertApp(projectId, body.app_id);
    assertTakesEventTypes(definition, body.event_types);
    await this.assertAddress(type, body.settings ?? {});
    return this.writes.run(write, async (tx) => {
      const present = await this.lock(tx, projectId, id);
      const before = { integration: present, settings: this.settingsOf(present) };
      const after = this.changed(definition, before, body);
      await this.integrations.update(tx, present, after.changes);
      const changes = destinationChanges(before, after);
      await tx.audit({ action: 'updated', target: 'destination', targetId: id, data: changes });
      const isChanged = changes.changed_fields.some((field) => field.startsWith('settings.'));
      if (isChanged || body.enabled === true) await this.queues.restart(tx, projectId, id);
      return {
        integration: after.integration,
        secretsSet: namesOfSetSecrets(definition, after.settings),
      };
    });
  }

  /** Deletes a destination and its open deliveries. Returns the time (epoch ms). @throws ApiError 404 */
  async delete(write: ProjectWrite, id: string): Promise<number> {
    const { projectId } = write;
    return this.writes.run(write, async (tx: WriteTransaction) => {
      if (!(await this.integrations.deleteDestination(tx, projectId, id)))
        throw ApiError.missing('destination', id);
      await tx.audit({ action: 'deleted', target: 'destination', targetId: id });
      return tx.nowMs();
    });
  }

  private changed(
    definition: Definition,
    { integration, settings: stored }: DestinationVersion,
    body: UpdateDestinationDto,
  ): DestinationVersion & { changes: Partial<DestinationIntegration> } {
    const { projectId, id, type } = integration;
    const settings = body.settings ? settingsAfter(definition, stored, body.settings) : stored;
    const eventNames = body.event_names
      ? eventNamesAfter(definition, body.event_names)
      : (integration.eventNames ?? {});
    const chosen = body.event_types ?? integration.eventTypes;
    const changes = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.enabled !== undefined && { enabled: body.enabled }),
      ...(body.send_from !== undefined && { sendFrom: new Date(body.send_from) }),
      ...(body.app_id !== undefined && { appId: body.app_id }),
      ...(body.revenue !== undefined && { revenue: body.revenue }),
      ...(body.attributes !== undefined && { attributes: body.attributes }),
      ...(body.settings && this.settings.seal(projectId, id, type, settings)),
      ...(body.event_names && { eventNames: namesColumn(eventNames) }),
      ...((body.settings ?? body.event_names ?? body.event_types) && {
        ...eventColumns(definition, settings, eventNames, [...new Set(chosen)]),
      }),
    };
    return { integration: { ...integration, ...changes }, settings, changes };
  }

  private settingsOf(integration: DestinationIntegration): Settings {
    return this.settings.open(integration)?.settings ?? { ...integration.settings };
  }

  private async assertApp(projectId: string, appId: string | null | undefined): Promise<void> {
    if (typeof appId === 'string' && !(await this.apps.find(projectId, appId)))
      throw ApiError.missing('app', appId, 'app_id');
  }

  /** Checks an address that a person entered. @throws ApiError 400 */
  private async assertAddress(type: DestinationType, { url, host }: Settings): Promise<void> {
    try {
      if (type === 'http' && typeof url === 'string') await this.calls.checkUrl(url);
      if (type === 'posthog' && typeof host === 'string') await this.ownHosts.checkUrl(host);
    } catch (error) {
      if (!(error instanceof OutboundUrlRefused)) throw error;
      throw ApiError.parameter(type === 'http' ? 'settings.url' : 'settings.host', error.message);
    }
  }
}

/** Chats switch a kind on by leaving it out, so no stored name is true. */
function namesColumn(names: EventNames): DestinationIntegration['eventNames'] {
  return names as DestinationIntegration['eventNames'];
}
