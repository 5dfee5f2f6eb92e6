import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('webhook_integrations')
export class Integration {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  url: string;

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

  @Column('text')
  sealedSigningSecret: string;

  /** The secret before the last rotation, also used for signing until `previousSigningSecretUntil`. */
  @Column('text', { nullable: true })
  sealedPreviousSigningSecret: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previousSigningSecretUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
