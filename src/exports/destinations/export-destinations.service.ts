import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import { auditChanges } from '../../platform/audit/audit-changes.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { Config } from '../../platform/config/config.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { OutboundUrlRefused } from '../../platform/outbound/outbound-errors.js';
import { OutboundConnectionsClient } from '../../platform/outbound/outbound-connections.client.js';
import { ProjectAlertsService } from '../../workspace/alerts/project-alerts.service.js';
import { type DestinationKind, destinationKinds } from './destination-settings.js';
import {
  type DestinationSettings,
  enteredAddress,
  type GivenSettings,
  placeOf,
  settingsAfter,
} from './destination-settings.policy.js';
import type { CreateExportDestinationDto, UpdateExportDestinationDto } from './export-destination.dto.js';
import type { ExportDestination } from './export-destination.entity.js';
import { ExportDestinationsRepository } from './export-destinations.repository.js';
import { ExportSecretsService } from './export-secrets.service.js';

const MAX_DESTINATIONS = 50;

/** A destination with its secrets, ready to be called. */
export interface OpenedDestination extends DestinationSettings {
  kind: DestinationKind;
  prefix: string;
}

type SettingsByKind = Partial<Record<DestinationKind, object>>;

@Injectable()
export class ExportDestinationsService {
  constructor(
    private readonly repository: ExportDestinationsRepository,
    private readonly secrets: ExportSecretsService,
    private readonly hosts: OutboundConnectionsClient,
    private readonly alerts: ProjectAlertsService,
    private readonly writes: ProjectWritesService,
    private readonly config: Config,
  ) {}

  /** Up to `limit + 1`, oldest first. @throws ApiError 400 for an unknown cursor */
  page(projectId: string, page: PageRequest): Promise<ExportDestination[]> {
    return this.repository.page(projectId, page);
  }

  /** @throws ApiError 404 */
  async get(projectId: string, id: string, tx?: Transaction): Promise<ExportDestination> {
    return found(await this.repository.find(projectId, id, tx), id);
  }

  find(projectId: string, id: string): Promise<ExportDestination | null> {
    return this.repository.find(projectId, id);
  }

  /** Null if its secrets were sealed with an unknown key. */
  open(destination: ExportDestination): OpenedDestination | null {
    const { kind, prefix, settings } = destination;
    const secrets = this.secrets.open(destination);
    return secrets && { kind, prefix, plain: settings, secrets };
  }

  /**
   * The destination of a request that is not saved. Settings that are checked when a server is called may be missing.
   * @throws ApiError 400, 422
   */
  async draft(body: SettingsByKind & { kind: DestinationKind; prefix?: string }): Promise<OpenedDestination> {
    const { kind, prefix = '' } = body;
    this.assertOffered(kind);
    const settings = settingsAfter(kind, null, givenOf(kind, body), { needsHostKey: false });
    await this.assertAddress(kind, settings);
    return { kind, prefix, ...settings };
  }

  /** @throws ApiError 400 naming the setting, 422 for too many destinations */
  async create(write: ProjectWrite, body: CreateExportDestinationDto): Promise<ExportDestination> {
    const { projectId } = write;
    const { kind } = body;
    this.assertOffered(kind);
    const settings = settingsAfter(kind, null, givenOf(kind, body));
    await this.assertAddress(kind, settings);
    return this.writes.run(write, async (tx) => {
      if ((await this.repository.count(tx, projectId)) >= MAX_DESTINATIONS)
        throw new ApiError('impossible', `A project has at most ${MAX_DESTINATIONS} export destinations.`);
      const nowMs = tx.nowMs();
      const id = newId('exportDestination', nowMs);
      const destination: ExportDestination = {
        projectId,
        id,
        name: body.name,
        kind,
        prefix: body.prefix ?? '',
        place: placeOf(kind, settings),
        settings: settings.plain,
        sealedSecrets: this.secrets.seal(projectId, id, settings.secrets),
        secretTimes: Object.fromEntries(Object.keys(settings.secrets).map((name) => [name, nowMs])),
        createdAt: new Date(nowMs),
        updatedAt: new Date(nowMs),
      };
      await this.repository.insert(tx, destination);
      await tx.audit({ action: 'created', target: 'export_destination', targetId: id, data: { kind } });
      await this.announce(tx, destination, 'added');
      return destination;
    });
  }

  /**
   * Absent fields stay unchanged. Runs that are going on continue with the settings they started with.
   * @throws ApiError 404; 400 naming the setting, also for a secret that a new address needs again
   */
  async update(
    write: ProjectWrite,
    id: string,
    body: UpdateExportDestinationDto,
  ): Promise<ExportDestination> {
    const { projectId } = write;
    const present = await this.get(projectId, id);
    const { kind } = present;
    const given = givenOf(kind, body);
    const settings = settingsAfter(kind, this.stored(present), given);
    await this.assertAddress(kind, settings);
    return this.writes.run(write, async (tx) => {
      const before = found(await this.repository.lock(tx, projectId, id), id);
      const stored = this.stored(before);
      const after = this.changed(before, stored, body, tx.nowMs());
      await this.repository.update(tx, projectId, id, after);
      await tx.audit({
        action: 'updated',
        target: 'export_destination',
        targetId: id,
        data: auditChanges(recorded(before, stored.secrets), recorded(after, this.stored(after).secrets), [
          'name',
          'prefix',
          'settings',
        ]),
      });
      const isMoved = after.place !== before.place || after.prefix !== before.prefix;
      if (isMoved) await this.announce(tx, after, 'moved');
      return after;
    });
  }

  /** Returns the time (epoch ms). @throws ApiError 404, 409 while an export uses it */
  delete(write: ProjectWrite, id: string): Promise<number> {
    return this.writes.run(write, async (tx) => {
      const result = await this.repository.delete(tx, write.projectId, id);
      if (result === 'missing') throw ApiError.missing('export destination', id);
      if (result === 'in_use')
        throw new ApiError(
          'conflict',
          'An export uses this destination. Delete the export or change it first.',
        );
      await tx.audit({ action: 'deleted', target: 'export_destination', targetId: id });
      return tx.nowMs();
    });
  }

  /** For a deleted project. */
  removeSecrets(tx: Transaction, projectId: string): Promise<void> {
    return this.repository.removeSecrets(tx, projectId);
  }

  private stored(destination: ExportDestination): DestinationSettings {
    return { plain: destination.settings, secrets: this.secrets.open(destination) ?? {} };
  }

  private changed(
    before: ExportDestination,
    stored: DestinationSettings,
    body: UpdateExportDestinationDto,
    nowMs: number,
  ): ExportDestination {
    const { projectId, id, kind } = before;
    const given = givenOf(kind, body);
    const { plain, secrets } = settingsAfter(kind, stored, given);
    const secretTimes = Object.fromEntries(
      Object.keys(secrets).map((name) => [
        name,
        given[name] === undefined ? (before.secretTimes[name] ?? nowMs) : nowMs,
      ]),
    );
    return {
      ...before,
      name: body.name ?? before.name,
      prefix: body.prefix ?? before.prefix,
      place: placeOf(kind, { plain, secrets }),
      settings: plain,
      sealedSecrets: this.secrets.seal(projectId, id, secrets),
      secretTimes,
      updatedAt: new Date(nowMs),
    };
  }

  /** Data leaves the server from now on, so the admins hear of it. */
  private announce(
    tx: WriteTransaction,
    { projectId, id, name }: ExportDestination,
    what: 'added' | 'moved',
  ): Promise<void> {
    const actor = tx.write.actor.identifier;
    const message =
      what === 'added'
        ? `${actor} added the destination. Exports to it can contain all customers and purchases of the project.`
        : `${actor} changed where the destination leads. The next runs of its exports deliver every row to the new place.`;
    return this.alerts.announce(
      tx,
      { projectId, cause: 'export_destination_added', subjectId: id },
      { name, message },
    );
  }

  private assertOffered(kind: DestinationKind): void {
    if (kind === 'local' && this.config.exportDir === null)
      throw new ApiError(
        'impossible',
        'This server has no folder for exports. Set SERVICE_EXPORT_DIR to offer one.',
      );
  }

  /** Checks an address that a person entered; every connection checks it again. @throws ApiError 400 */
  private async assertAddress(kind: DestinationKind, settings: DestinationSettings): Promise<void> {
    const address = enteredAddress(kind, settings);
    if (!address) return;
    try {
      await this.hosts.checkUrl(address.url);
    } catch (error) {
      if (!(error instanceof OutboundUrlRefused)) throw error;
      throw ApiError.parameter(address.setting, error.message);
    }
  }
}

/** @throws ApiError 400 for settings of another kind */
function givenOf(kind: DestinationKind, body: SettingsByKind): GivenSettings {
  const other = destinationKinds.find((name) => name !== kind && body[name] !== undefined);
  if (other) throw ApiError.parameter(other, `A destination of the kind ${kind} takes no ${other}.`);
  return (body[kind] ?? {}) as GivenSettings;
}

/** @throws ApiError 404 */
function found(destination: ExportDestination | null, id: string): ExportDestination {
  if (!destination) throw ApiError.missing('export destination', id);
  return destination;
}

/** For the audit log, which gets names of secrets only. */
function recorded(
  { name, prefix, settings }: ExportDestination,
  secrets: Record<string, string>,
): { name: string; prefix: string; settings: object; secrets: object } {
  return { name, prefix, settings, secrets };
}
