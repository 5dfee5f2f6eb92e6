import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { UiConfigRefs } from '../../../libs/paywalls/index.js';

/** Configuration that all paywalls of a project share. */
@Entity('paywall_settings')
export class PaywallSettingsRow {
  @PrimaryColumn('text')
  projectId: string;

  /** Blobs of the shared configuration, by part. */
  @Column('jsonb')
  uiConfigRefs: UiConfigRefs;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
