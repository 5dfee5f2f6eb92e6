import { Column, Entity, PrimaryColumn } from 'typeorm';

const time = { type: 'timestamptz', precision: 3 } as const;

export const externalTokenKinds = ['IN_APP', 'LINK_OUT', 'ACQUISITION', 'SERVICES'] as const;
export type ExternalTokenKind = (typeof externalTokenKinds)[number];

/**
 * `open`: no purchase used it yet; `used`: a purchase is bound to it. Reported without a purchase: `reported_empty`,
 * `duplicate` (another token of the same kind and dates is used) and `unrecognized` (only its store knows it).
 * `unreadable`: not a token of the store; `foreign`: belongs to another app; `refused`: the store does not know it.
 */
export const externalTokenStates = [
  'open',
  'used',
  'reported_empty',
  'duplicate',
  'unrecognized',
  'unreadable',
  'foreign',
  'refused',
] as const;
export type ExternalTokenState = (typeof externalTokenStates)[number];

export const externalTokenStores = ['apple', 'google'] as const;
export type ExternalTokenStore = (typeof externalTokenStores)[number];

/** A token that a store issued for a purchase outside the store. The purchase must be reported with it. */
@Entity('external_purchase_tokens')
export class ExternalPurchaseTokenEntity {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  appId: string;

  @Column('text')
  store: ExternalTokenStore;

  @Column('text', { nullable: true })
  kind: ExternalTokenKind | null;

  @Column('text')
  environment: 'production' | 'sandbox';

  /** The store's id of the token; null if the token cannot be used for a report. */
  @Column('text', { nullable: true })
  externalPurchaseId: string | null;

  @Column('text', { nullable: true })
  sealedToken: string | null;

  /** Null once the customer was deleted: the report remains due. */
  @Column('text', { nullable: true })
  customerId: string | null;

  @Column({ ...time, nullable: true })
  tokenCreatedAt: Date | null;

  @Column({ ...time, nullable: true })
  tokenExpiresAt: Date | null;

  @Column({ ...time })
  createdAt: Date;

  @Column('text')
  state: ExternalTokenState;
}
