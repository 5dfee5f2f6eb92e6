import { Injectable } from '@nestjs/common';
import type { AppType } from '../apps/app-types.js';
import type { NotificationSource } from './notification-source.js';

/** The stores whose notifications this server takes. Each store's module adds its own when it starts. */
@Injectable()
export class NotificationSources {
  private readonly sources: NotificationSource[] = [];

  add(source: NotificationSource): void {
    this.sources.push(source);
  }

  /** Null for a store that sends none, or none that this server takes. */
  of(appType: AppType): NotificationSource | null {
    return this.sources.find(({ appTypes }) => appTypes.includes(appType)) ?? null;
  }
}
