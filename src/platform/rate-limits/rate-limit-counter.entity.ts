import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('rate_limits')
export class RateLimitCounter {
  @PrimaryColumn('text')
  bucket: string;

  @Column('integer')
  hits: number;

  @Column({ type: 'timestamptz', precision: 3 })
  resetsAt: Date;

  @PrimaryColumn({ type: 'text' })
  tenantId: string;
}
