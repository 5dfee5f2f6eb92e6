import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { UiConfigRefs } from '../../../libs/paywalls/index.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { PaywallSettingsRow } from './paywall-settings.entity.js';

@Injectable()
export class PaywallSettingsRepository {
  constructor(
    @InjectRepository(PaywallSettingsRow) private readonly settings: Repository<PaywallSettingsRow>,
  ) {}

  /** Null before the first paywall is published. */
  async uiConfigRefs(tx: Transaction, projectId: string): Promise<UiConfigRefs | null> {
    const row = await onTransaction(this.settings, tx).findOneBy({ projectId });
    return row?.uiConfigRefs ?? null;
  }

  async saveUiConfigRefs(
    tx: Transaction,
    projectId: string,
    uiConfigRefs: UiConfigRefs,
    updatedAt: Date,
  ): Promise<void> {
    await onTransaction(this.settings, tx).upsert({ projectId, uiConfigRefs, updatedAt }, ['projectId']);
  }
}
