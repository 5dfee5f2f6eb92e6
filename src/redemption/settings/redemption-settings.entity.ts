import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Whose links work: of no purchase, of sandbox purchases, or of both. */
export const redemptionModes = ['off', 'sandbox', 'production'] as const;
export type RedemptionMode = (typeof redemptionModes)[number];

@Entity('redemption_settings')
export class RedemptionSettings {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @Column('text')
  enabled: RedemptionMode;

  /** Null: that of the project's oldest mobile app. */
  @Column({ name: 'url_scheme', type: 'text', nullable: true })
  urlScheme: string | null;

  @Column({ name: 'link_minutes', type: 'integer' })
  linkMinutes: number;

  @Column({ name: 'mail_on_purchase', type: 'boolean' })
  mailOnPurchase: boolean;

  /** Null: if the server can send mails. */
  @Column({ name: 'mail_on_expired', type: 'boolean', nullable: true })
  mailOnExpired: boolean | null;

  @Column({ name: 'app_name', type: 'text', nullable: true })
  appName: string | null;

  @Column({ name: 'app_store_url', type: 'text', nullable: true })
  appStoreUrl: string | null;

  @Column({ name: 'play_store_url', type: 'text', nullable: true })
  playStoreUrl: string | null;

  @Column({ name: 'support_email', type: 'text', nullable: true })
  supportEmail: string | null;
}
