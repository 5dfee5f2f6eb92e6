import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  type FileStore,
  type FileStoreEnvironment,
  type FileStoreSettings,
  openFileStore,
} from '../../../libs/file-stores/index.js';
import { systemClock } from '../../../libs/kernel/index.js';
import { Config } from '../../platform/config/config.js';
import { OutboundConnectionsClient } from '../../platform/outbound/outbound-connections.client.js';
import type { OpenedDestination } from './export-destinations.service.js';

/** Opens destinations with connections that the outbound guard checks. */
@Injectable()
export class DestinationStoresService {
  constructor(
    private readonly config: Config,
    private readonly connections: OutboundConnectionsClient,
  ) {}

  /** The caller closes it. @throws FileStoreError if the settings cannot be used */
  open(
    projectId: string,
    destination: OpenedDestination,
    options: Partial<FileStoreEnvironment> = {},
  ): FileStore {
    return openFileStore(storeSettings(destination), {
      connections: this.connections,
      exportDirectory: this.config.exportDir,
      projectId,
      // Stores compare signatures with their own clocks.
      now: () => systemClock.nowMs(),
      sleep: (ms, signal) => sleep(ms, undefined, { signal }),
      random: Math.random,
      ...options,
    });
  }
}

/** The settings were checked when they were saved, and have the names that stores know. */
function storeSettings({ kind, plain, secrets }: OpenedDestination): FileStoreSettings {
  return { kind, ...plain, ...secrets } as unknown as FileStoreSettings;
}
