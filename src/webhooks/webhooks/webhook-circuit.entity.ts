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

  @Column('timestamptz', { name: 'opened_at', nullable: true })
  openedAt: Date | null;

  @Column('timestamptz', { name: 'probe_at', nullable: true })
  probeAt: Date | null;

  @Column('integer', { name: 'failed_probes' })
  failedProbes: number;

  @Column('timestamptz', { name: 'probe_lease_until', nullable: true })
  probeLeaseUntil: Date | null;
}
