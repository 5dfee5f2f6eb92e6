import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A failing endpoint. A healthy one has no row. */
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
}
