import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Whose links work: of no purchase, of sandbox purchases, or of both. */
export const redemptionModes = ['off', 'sandbox', 'production'] as const;
export type RedemptionMode = (typeof redemptionModes)[number];

@Entity('redemption_settings')
export class RedemptionSettings {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @Column('text')
  enabled: RedemptionMode;

  /** Null: that of the project's oldest mobile app. */
  @Column({ type: 'text', nullable: true })
  urlScheme: string | null;

  @Column({ type: 'integer' })
  linkMinutes: number;

  @Column({ type: 'boolean' })
  mailOnPurchase: boolean;

  /** Null: if the server can send mails. */
  @Column({ type: 'boolean', nullable: true })
  mailOnExpired: boolean | null;

  @Column({ type: 'text', nullable: true })
  appName: string | null;

  @Column({ type: 'text', nullable: true })
  appStoreUrl: string | null;

  @Column({ type: 'text', nullable: true })
  playStoreUrl: string | null;

  @Column({ type: 'text', nullable: true })
  supportEmail: string | null;
}
