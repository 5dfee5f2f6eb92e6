import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('rate_limits')
export class RateLimitCounter {
  @PrimaryColumn('text')
  bucket: string;

  @Column('integer')
  hits: number;

  @Column({ name: 'resets_at', type: 'timestamptz', precision: 3 })
  resetsAt: Date;

  @PrimaryColumn({ name: 'tenant_id', type: 'text' })
  tenantId: string;
}
