import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('webhook_integrations')
export class WebhookIntegration {
  @PrimaryColumn('text', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  url: string;

  @Column('text', { nullable: true })
  environment: 'production' | 'sandbox' | null;

  @Column('text', { name: 'event_types', array: true })
  eventTypes: string[];

  @Column('text', { name: 'app_id', nullable: true })
  appId: string | null;

  @Column('boolean')
  enabled: boolean;

  @Column('boolean')
  ordered: boolean;

  @Column('boolean', { name: 'include_customer_info' })
  includeCustomerInfo: boolean;

  @Column('text', { name: 'sealed_authorization_header', nullable: true })
  sealedAuthorizationHeader: string | null;

  @Column('text', { name: 'sealed_signing_secret' })
  sealedSigningSecret: string;

  /** The secret before the last rotation; signs too until `previousSigningSecretUntil`. */
  @Column('text', { name: 'sealed_previous_signing_secret', nullable: true })
  sealedPreviousSigningSecret: string | null;

  @Column({ name: 'previous_signing_secret_until', type: 'timestamptz', precision: 3, nullable: true })
  previousSigningSecretUntil: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
