import { Column, Entity, PrimaryColumn } from 'typeorm';

export type IntegrationType =
  | 'webhook'
  | 'segment'
  | 'amplitude'
  | 'mixpanel'
  | 'posthog'
  | 'customerio'
  | 'braze'
  | 'firebase'
  | 'appsflyer'
  | 'adjust'
  | 'meta'
  | 'slack'
  | 'discord'
  | 'http';

/** Receives events. A webhook has an address and a signing secret, the other types have settings. */
@Entity('webhook_integrations')
export class Integration {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  type: IntegrationType;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  url: string | null;

  @Column('text', { nullable: true })
  environment: 'production' | 'sandbox' | null;

  @Column('text', { array: true })
  eventTypes: string[];

  @Column('text', { nullable: true })
  appId: string | null;

  @Column('boolean')
  enabled: boolean;

  @Column('boolean')
  ordered: boolean;

  @Column('boolean')
  includeCustomerInfo: boolean;

  @Column('text', { nullable: true })
  sealedAuthorizationHeader: string | null;

  @Column('text', { nullable: true })
  sealedSigningSecret: string | null;

  /** The secret before the last rotation, also used for signing until `previousSigningSecretUntil`. */
  @Column('text', { nullable: true })
  sealedPreviousSigningSecret: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previousSigningSecretUntil: Date | null;

  /** Settings without secrets. */
  @Column('jsonb', { nullable: true })
  settings: object | null;

  @Column('text', { nullable: true })
  sealedSettings: string | null;

  /** Names of events that differ from the type's; null for an event that is not sent. */
  @Column('jsonb', { nullable: true })
  eventNames: Record<string, string | null> | null;

  @Column('text', { nullable: true })
  revenue: 'gross' | 'after_commission' | 'after_commission_and_taxes' | null;

  @Column('text', { nullable: true })
  attributes: 'all' | 'none' | null;

  /** Events that occurred earlier are not sent. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sendFrom: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

export type WebhookIntegration = Integration & { type: 'webhook'; url: string; sealedSigningSecret: string };

export type DestinationIntegration = Integration & { type: Exclude<IntegrationType, 'webhook'> };
