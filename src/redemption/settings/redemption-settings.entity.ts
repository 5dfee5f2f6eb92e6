import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Links work for no purchases, for sandbox purchases, or for both environments. */
export const redemptionModes = ['off', 'sandbox', 'production'] as const;
export type RedemptionMode = (typeof redemptionModes)[number];

@Entity('redemption_settings')
export class RedemptionSettings {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @Column('text')
  enabled: RedemptionMode;

  /** Null means that of the project's oldest mobile app. */
  @Column({ type: 'text', nullable: true })
  urlScheme: string | null;

  @Column({ type: 'integer' })
  linkMinutes: number;

  @Column({ type: 'boolean' })
  mailOnPurchase: boolean;

  /** Null means yes if the server can send mail. */
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
