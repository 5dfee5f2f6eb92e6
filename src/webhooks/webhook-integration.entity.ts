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

  @Column('text', { name: 'sealed_authorization_header', nullable: true })
  sealedAuthorizationHeader: string | null;

  @Column('text', { name: 'sealed_signing_secret' })
  sealedSigningSecret: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
