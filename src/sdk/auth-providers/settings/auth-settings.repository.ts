import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Executor, Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { statement } from '../../../platform/database/statement.js';
import { AuthSettings } from './auth-settings.entity.js';

/** $2: provider, null: anonymous. */
const mayContinue = statement(
  'auth_settings.may_continue',
  `SELECT s.enabled AND CASE WHEN $2::text IS NULL THEN s.allow_anonymous ELSE EXISTS (
     SELECT FROM auth_providers p WHERE p.project_id = $1 AND p.id = $2 AND p.enabled) END AS "mayContinue"
   FROM auth_settings s WHERE s.project_id = $1`,
);

@Injectable()
export class AuthSettingsRepository {
  constructor(@InjectRepository(AuthSettings) private readonly settings: Repository<AuthSettings>) {}

  find(projectId: string, executor?: Executor): Promise<AuthSettings | null> {
    return onTransaction(this.settings, executor).findOneBy({ projectId });
  }

  /** Returns the locked row, which is created if it does not exist. */
  async lock(tx: Transaction, projectId: string): Promise<AuthSettings> {
    const settings = onTransaction(this.settings, tx);
    const off = { projectId, enabled: false, allowAnonymous: false };
    await settings.createQueryBuilder().insert().values(off).orIgnore().execute();
    return settings.findOneOrFail({ where: { projectId }, lock: { mode: 'pessimistic_write' } });
  }

  async update(tx: Transaction, { projectId, ...columns }: AuthSettings): Promise<void> {
    await onTransaction(this.settings, tx).update({ projectId }, columns);
  }

  async mayContinue(executor: Executor, projectId: string, providerId: string | null): Promise<boolean> {
    const [row] = await executor.query<{ mayContinue: boolean }>(mayContinue, [projectId, providerId]);
    return row?.mayContinue ?? false;
  }
}
