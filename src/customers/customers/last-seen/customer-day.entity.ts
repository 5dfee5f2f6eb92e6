import { Entity, PrimaryColumn } from 'typeorm';

/** A UTC day on which a customer was seen. */
@Entity('customer_days')
export class CustomerDay {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @PrimaryColumn('date')
  day: string;
}
