import { Injectable } from '@nestjs/common';
import type { App } from '../../catalog/apps/app.entity.js';
import type { AppType } from '../../platform/principal/app-types.js';
import { Config } from '../../platform/config/config.js';
import type { NotificationSource } from './notification-source.js';

/** The stores whose notifications this server accepts. Each store's module registers its own at start-up. */
@Injectable()
export class NotificationSourcesService {
  private readonly sources: NotificationSource[] = [];

  constructor(private readonly config: Config) {}

  /** The last source added for an app type wins. */
  add(source: NotificationSource): void {
    this.sources.push(source);
  }

  /** Null for a store whose notifications this server does not accept. */
  forType(appType: AppType): NotificationSource | null {
    return this.sources.findLast(({ appTypes }) => appTypes.includes(appType)) ?? null;
  }

  /** The app's permanent notification URL; null for a store that `forType` does not know. */
  addressFor({ type, id }: Pick<App, 'type' | 'id'>): string | null {
    const source = this.forType(type);
    return source && `${this.config.baseUrl}/v1/notifications/${source.store}/${id}`;
  }
}
