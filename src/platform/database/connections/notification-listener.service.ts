import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import pg from 'pg';
import { Config } from '../../config/config.js';
import { LogService } from '../../observability/log.service.js';
import { BoundedClient } from './bounded-client.js';
import { configureConnection } from './connection-settings.js';
import { keptAlive, lostHosts } from '../data-source.js';
import { NotificationThrottle } from './notification-throttle.js';
import { isPooled } from './pooled.js';

type Handler = (payload: string) => void;

export interface ListenOptions {
  /** The handler does the same for every payload, so all payloads together count as one notification. */
  ignoresPayload?: boolean;
}

const RECONNECT_MS = 1_000;
const CONNECT_WITHIN_MS = 10_000;

/**
 * LISTENs on its own connection, to drop cached rows as soon as another replica changes them. It only makes caches
 * fresher: `connected` tells caches whether they may keep entries beyond the short time to live. Any database user may
 * send notifications, so a handler must expect every text, and at most forget what it can read again.
 */
@Injectable()
export class NotificationListenerService implements OnModuleInit, OnApplicationShutdown {
  private readonly handlers = new Map<string, Set<Handler>>();
  private readonly ownHandlers = new Map<string, Set<Handler>>();
  private readonly withoutPayload = new Set<string>();
  private readonly throttle = new NotificationThrottle((channel, payload) =>
    this.call(this.handlers, channel, payload),
  );
  private client: pg.Client | null = null;
  private reconnectTimer: NodeJS.Timeout | null = null;
  private heartbeat: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(
    private readonly config: Config,
    private readonly log: LogService,
  ) {}

  get connected(): boolean {
    return this.client !== null;
  }

  /**
   * Calls `handler` with the payload of every notification on `channel` (a plain identifier). After a reconnect
   * the payload is empty: anything may have changed meanwhile.
   */
  on(channel: string, handler: Handler, { ignoresPayload = false }: ListenOptions = {}): void {
    add(this.handlers, channel, handler);
    if (ignoresPayload) this.withoutPayload.add(channel);
    void this.client?.query(`LISTEN ${channel}`).catch(() => undefined);
  }

  /** Calls `handler` for changes by this process only: for work that no other database user may cause. */
  onOwn(channel: string, handler: Handler): void {
    add(this.ownHandlers, channel, handler);
  }

  /** Calls the handlers in this process. */
  dispatch(channel: string, payload: string): void {
    this.call(this.handlers, channel, payload);
    this.call(this.ownHandlers, channel, payload);
  }

  private call(all: ReadonlyMap<string, Set<Handler>>, channel: string, payload: string): void {
    for (const handler of all.get(channel) ?? []) handler(payload);
  }

  async onModuleInit(): Promise<void> {
    await this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.reconnectTimer) clearTimeout(this.reconnectTimer);
    if (this.heartbeat) clearInterval(this.heartbeat);
    await this.client?.end().catch(() => undefined);
    this.client = null;
  }

  private async connect(): Promise<void> {
    const client: pg.Client = new BoundedClient({
      connectionString: this.config.directDatabaseUrl ?? this.config.databaseUrl ?? undefined,
      application_name: 'tenure-listen',
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      limitMs: this.config.databaseTimeoutMs,
      ...keptAlive,
    });
    let isLost = false;
    const lost = (error?: Error): void => {
      if (isLost) return;
      isLost = true;
      if (this.client === client) {
        this.client = null;
        if (this.heartbeat) clearInterval(this.heartbeat);
      }
      if (this.stopped || this.reconnectTimer) return;
      this.log.warn(
        { err: error },
        'lost the notification connection; caches fall back to their time to live',
      );
      this.reconnectTimer = setTimeout(() => {
        this.reconnectTimer = null;
        void this.connect();
      }, RECONNECT_MS).unref();
    };
    client.on('error', lost);
    client.on('end', () => lost());
    client.on('notification', ({ channel, payload }) => {
      this.throttle.receive(channel, this.withoutPayload.has(channel) ? '' : (payload ?? ''));
    });
    try {
      await client.connect();
      if (await isPooled(client)) {
        // Otherwise caches would assume that nothing ever changes.
        this.stopped = true;
        await client.end();
        this.log.info(
          {},
          'DATABASE_URL is a pooler: without a direct address caches rely on their time to live',
        );
        return;
      }
      await configureConnection(client, lostHosts);
      for (const channel of this.handlers.keys()) await client.query(`LISTEN ${channel}`);
      this.client = client;
      this.heartbeat = this.keepAsking(client);
      for (const handlers of this.handlers.values()) for (const handler of handlers) handler('');
    } catch (error) {
      lost(error as Error);
      void client.end();
    }
  }

  /** An idle connection looks the same as a dead one, so send a query regularly. */
  private keepAsking(client: pg.Client): NodeJS.Timeout {
    const ping = (): void => void client.query('SELECT 1').catch(() => undefined);
    return setInterval(ping, this.config.databaseTimeoutMs).unref();
  }
}

function add(all: Map<string, Set<Handler>>, channel: string, handler: Handler): void {
  const handlers = all.get(channel) ?? new Set();
  handlers.add(handler);
  all.set(channel, handlers);
}
