import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('customer_aliases')
export class CustomerAlias {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  appUserId: string;

  @Column({ type: 'text' })
  customerId: string;

  @Column({ type: 'boolean' })
  isAnonymous: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
