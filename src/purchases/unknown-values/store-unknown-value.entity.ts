import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A value of an enumerated field that a store sent and this server does not know. */
@Entity('store_unknown_values')
export class StoreUnknownValue {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  appId: string;

  /** The store's name of the field. */
  @PrimaryColumn('text')
  field: string;

  @PrimaryColumn('text')
  value: string;

  /** The app's type. */
  @Column('text')
  store: string;

  @Column('bigint')
  count: string;

  @Column({ type: 'timestamptz', precision: 3 })
  firstSeenAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  lastSeenAt: Date;
}
