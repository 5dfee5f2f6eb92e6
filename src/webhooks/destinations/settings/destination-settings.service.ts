import { Injectable } from '@nestjs/common';
import {
  definitionOf,
  type Destination,
  type DestinationType,
  secretNames,
  type Settings,
} from '../../../../libs/destinations/index.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { SecretsService } from '../../../platform/secrets/secrets.service.js';
import type { Integration } from '../../deliveries/integrations/integration.entity.js';
import { settingsPlace } from '../../deliveries/integrations/secret-places.js';

/** The columns of an integration that describe a destination. */
export type StoredDestination = { type: DestinationType } & Pick<
  Integration,
  | 'projectId'
  | 'id'
  | 'name'
  | 'settings'
  | 'sealedSettings'
  | 'eventNames'
  | 'revenue'
  | 'attributes'
  | 'sendFrom'
>;

export interface SealedSettings {
  /** Without secrets. */
  settings: Settings;
  sealedSettings: string;
}

/** Stores the secrets of a destination's settings together, apart from the other settings. */
@Injectable()
export class DestinationSettingsService {
  constructor(
    private readonly secrets: SecretsService,
    private readonly log: LogService,
  ) {}

  /** Only for checked settings with their defaults. */
  seal(projectId: string, id: string, type: DestinationType, settings: Settings): SealedSettings {
    const names = secretNames(definitionOf(type));
    const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
    const secrets = Object.fromEntries(entries.filter(([name]) => names.includes(name)));
    const others = Object.fromEntries(entries.filter(([name]) => !names.includes(name)));
    const place = settingsPlace(projectId, id);
    return { settings: others, sealedSettings: this.secrets.seal(JSON.stringify(secrets), place) };
  }

  /** The destination with its secrets. Null, and logged, if they were sealed with an unknown key. */
  open(stored: StoredDestination): Destination | null {
    const { type, name, settings, eventNames, revenue, attributes, sendFrom } = stored;
    const secrets = this.openSecrets(stored);
    if (!secrets) return null;
    return {
      type,
      name,
      settings: { ...settings, ...secrets },
      eventNames: eventNames ?? {},
      revenue: revenue ?? 'gross',
      attributes: attributes ?? 'all',
      sendFromMs: sendFrom?.getTime() ?? 0,
    };
  }

  private openSecrets({ projectId, id, sealedSettings }: StoredDestination): Settings | null {
    if (sealedSettings === null) return {};
    try {
      return JSON.parse(this.secrets.open(sealedSettings, settingsPlace(projectId, id))) as Settings;
    } catch (error) {
      this.log.error(
        { err: error, projectId, destinationId: id },
        'the secrets of a destination do not open',
      );
      return null;
    }
  }
}
