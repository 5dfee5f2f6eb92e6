import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An endpoint that fails or asked for a pause. Others have no row. */
@Entity('webhook_circuits')
export class EndpointCircuit {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  webhookIntegrationId: string;

  @Column('integer')
  failures: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  openedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  probeAt: Date | null;

  @Column('integer')
  failedProbes: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  probeLeaseUntil: Date | null;

  /** Nothing is sent before this time, because the endpoint limits its rate. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  notBefore: Date | null;

  /** Consecutive responses 429. */
  @Column('integer')
  limited: number;
}
