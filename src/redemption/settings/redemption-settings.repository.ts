import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { statement } from '../../platform/database/statement.js';
import { RedemptionSettings } from './redemption-settings.entity.js';
import { defaultSettings } from './redemption-settings.policy.js';

const projectName = statement('redemption_settings.project_name', 'SELECT name FROM projects WHERE id = $1');

@Injectable()
export class RedemptionSettingsRepository {
  constructor(
    @InjectRepository(RedemptionSettings) private readonly settings: Repository<RedemptionSettings>,
    private readonly database: DatabaseService,
  ) {}

  find(projectId: string, executor?: Executor): Promise<RedemptionSettings | null> {
    return onTransaction(this.settings, executor).findOneBy({ projectId });
  }

  /** Returns the locked row and creates it if there is none. */
  async lock(tx: Transaction, projectId: string): Promise<RedemptionSettings> {
    const settings = onTransaction(this.settings, tx);
    await settings.createQueryBuilder().insert().values(defaultSettings(projectId)).orIgnore().execute();
    return settings.findOneOrFail({ where: { projectId }, lock: { mode: 'pessimistic_write' } });
  }

  async projectName(projectId: string, executor: Executor = this.database): Promise<string | null> {
    return (await executor.query<{ name: string }>(projectName, [projectId]))[0]?.name ?? null;
  }

  async update(tx: Transaction, { projectId, ...columns }: RedemptionSettings): Promise<void> {
    await onTransaction(this.settings, tx).update({ projectId }, columns);
  }
}
