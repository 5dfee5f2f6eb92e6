import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { UiConfigRefs } from '../../../libs/paywalls/index.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { PaywallSettingsRow } from './paywall-settings.entity.js';
import { noSettings, type SharedSettings } from './paywall-settings.policy.js';

export type StoredSettings = SharedSettings & Pick<PaywallSettingsRow, 'uiConfigRefs'>;

@Injectable()
export class PaywallSettingsRepository {
  constructor(
    @InjectRepository(PaywallSettingsRow) private readonly settings: Repository<PaywallSettingsRow>,
  ) {}

  async find(projectId: string, tx?: Transaction): Promise<StoredSettings> {
    const row = await onTransaction(this.settings, tx).findOneBy({ projectId });
    if (!row) return { ...noSettings, uiConfigRefs: null };
    const { colors, fonts, customVariables, uiConfigRefs } = row;
    return { colors, fonts, customVariables, uiConfigRefs };
  }

  async save(tx: Transaction, projectId: string, settings: SharedSettings, updatedAt: Date): Promise<void> {
    const { colors, fonts, customVariables } = settings;
    const row: object = { projectId, colors, fonts, customVariables, updatedAt };
    await onTransaction(this.settings, tx).upsert(row, ['projectId']);
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
