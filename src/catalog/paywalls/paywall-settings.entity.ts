import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { UiConfigRefs } from '../../../libs/paywalls/index.js';
import type { SharedSettings } from './paywall-settings.policy.js';

/** Configuration that all paywalls of a project share. */
@Entity('paywall_settings')
export class PaywallSettingsRow implements SharedSettings {
  @PrimaryColumn('text')
  projectId: string;

  @Column('jsonb')
  colors: SharedSettings['colors'];

  @Column('jsonb')
  fonts: SharedSettings['fonts'];

  @Column('jsonb')
  customVariables: SharedSettings['customVariables'];

  /** Blobs of the shared configuration, by part; null before the first paywall is published. */
  @Column('jsonb', { nullable: true })
  uiConfigRefs: UiConfigRefs | null;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
