import { jest } from '@jest/globals';
import type { Config } from '../config/config.js';
import type { NotificationListenerService } from '../database/connections/notification-listener.service.js';
import type { LogService } from '../observability/log.service.js';
import { DataLocationService } from './data-location.service.js';
import type { ProjectLocation } from './project-location.entity.js';
import type { ProjectLocationsRepository } from './project-locations.repository.js';

const away: ProjectLocation = { projectId: 'proj_a', region: 'eu', changedAt: new Date(0) };

describe('DataLocationService', () => {
  const rows: ProjectLocation[] = [];
  const listener = { connected: true, on: () => undefined };
  let read: () => Promise<ProjectLocation[]>;
  let service: DataLocationService;

  beforeEach(async () => {
    jest.useFakeTimers();
    rows.length = 0;
    listener.connected = true;
    read = () => Promise.resolve([...rows]);
    service = new DataLocationService(
      { all: () => read() } as unknown as ProjectLocationsRepository,
      { regionUrls: null } as Config,
      listener as unknown as NotificationListenerService,
      { error: () => undefined } as unknown as LogService,
    );
    await service.onApplicationBootstrap();
  });

  afterEach(() => {
    service.onApplicationShutdown();
    jest.useRealTimers();
  });

  it('refuses a project at most 5 s after it moved away while no notification arrives', async () => {
    rows.push(away);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(service.foreign('proj_a')).toBeNull();
    listener.connected = false;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(service.foreign('proj_a')).toEqual({ region: 'eu', apiUrl: null, appUrl: null });
    expect(service.foreign('proj_b')).toBeNull();
  });

  it('continues with what it read last while the table cannot be read', async () => {
    rows.push(away);
    listener.connected = false;
    await jest.advanceTimersByTimeAsync(5_000);
    read = () => Promise.reject(new Error('no connection'));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(service.foreign('proj_a')?.region).toBe('eu');
  });
});
