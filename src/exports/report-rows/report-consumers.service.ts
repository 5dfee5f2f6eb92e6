import { Injectable } from '@nestjs/common';
import type { Reader } from '../../platform/database/database.service.js';

/** Says whether a project still uses report rows. */
export type ReportConsumer = (reader: Reader, projectId: string) => Promise<boolean>;

/** Features that read report rows continuously. Rows of projects without any are deleted after a while. */
@Injectable()
export class ReportConsumers {
  private readonly consumers = new Map<string, ReportConsumer>();

  register(name: string, isUsed: ReportConsumer): void {
    this.consumers.set(name, isUsed);
  }

  async isUsed(reader: Reader, projectId: string): Promise<boolean> {
    for (const consumer of this.consumers.values()) if (await consumer(reader, projectId)) return true;
    return false;
  }
}
