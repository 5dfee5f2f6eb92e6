import { Entity, PrimaryColumn } from 'typeorm';

/** A UTC day on which a customer was seen. */
@Entity('customer_days')
export class CustomerDay {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text' })
  customerId: string;

  @PrimaryColumn('date')
  day: string;
}
