import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An endpoint that fails; one that works has no row. */
@Entity('webhook_circuits')
export class WebhookCircuit {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text', { name: 'webhook_integration_id' })
  webhookIntegrationId: string;

  @Column('integer')
  failures: number;

  @Column({ name: 'opened_at', type: 'timestamptz', precision: 3, nullable: true })
  openedAt: Date | null;

  @Column({ name: 'probe_at', type: 'timestamptz', precision: 3, nullable: true })
  probeAt: Date | null;

  @Column('integer', { name: 'failed_probes' })
  failedProbes: number;

  @Column({ name: 'probe_lease_until', type: 'timestamptz', precision: 3, nullable: true })
  probeLeaseUntil: Date | null;
}
