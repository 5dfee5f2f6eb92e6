import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How a purchase was bound: by an id that the seller stored with it, by a request, or as the only open token. */
export const boundByValues = ['id', 'action', 'newest'] as const;
export type BoundBy = (typeof boundByValues)[number];

/** A purchase outside an app store and the token that it must be reported with. It never changes. */
@Entity('external_purchase_bindings')
export class ExternalPurchaseBindingEntity {
  @PrimaryColumn('text')
  projectId: string;

  /** Key of the purchase at its store. */
  @PrimaryColumn('text')
  purchaseKey: string;

  /** The store that sold the purchase. */
  @Column('text')
  store: string;

  @Column('text')
  tokenId: string;

  @Column('text')
  boundBy: BoundBy;

  @Column({ type: 'timestamptz', precision: 3 })
  boundAt: Date;
}
