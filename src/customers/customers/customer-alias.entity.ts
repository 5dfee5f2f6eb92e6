import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('customer_aliases')
export class CustomerAlias {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'app_user_id', type: 'text' })
  appUserId: string;

  @Column({ name: 'customer_id', type: 'text' })
  customerId: string;

  @Column({ name: 'is_anonymous', type: 'boolean' })
  isAnonymous: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
