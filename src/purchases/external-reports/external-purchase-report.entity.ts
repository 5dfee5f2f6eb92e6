import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PurchaseReport, ReportStore } from '../../../libs/external-reports/index.js';

const time = { type: 'timestamptz', precision: 3 } as const;

export const reportStores = ['apple', 'google'] as const;

export const reportStates = [
  'due',
  'sent',
  'refused',
  'needs_tax',
  'needs_token',
  'needs_data',
  'manual',
] as const;

/** `token`: about a token without a purchase. */
export type ReportedEvent = PurchaseReport['event'] | 'token';

/** A report to an app store about one ledger row of a purchase outside it, or about a token. Names no customer. */
@Entity('external_purchase_reports')
export class ExternalPurchaseReportEntity {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text', { nullable: true })
  tokenId: string | null;

  /** The app of the token. */
  @Column('text')
  appId: string;

  @Column('text')
  store: ReportStore;

  @Column('text')
  environment: 'production' | 'sandbox';

  /** The id of the token for a report about a token. */
  @Column('text')
  purchaseKey: string;

  /** Number of earlier reports about the purchase. */
  @Column('integer')
  position: number;

  @Column('text')
  sourceKey: string;

  @Column('text')
  event: ReportedEvent;

  @Column('text')
  requestIdentifier: string;

  @Column('json')
  items: PurchaseReport['items'];

  @Column('json', { nullable: true })
  body: PurchaseReport['body'];

  @Column('text')
  state: PurchaseReport['state'];

  @Column('text', { nullable: true })
  reason: string | null;

  /** The refusal of the store. */
  @Column('text', { nullable: true })
  storeAnswer: string | null;

  @Column({ ...time })
  createdAt: Date;

  @Column({ ...time, nullable: true })
  sentAt: Date | null;
}
