import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('mails')
export class Mail {
  @PrimaryColumn({ name: 'tenant_id', type: 'text' })
  tenantId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  kind: string;

  /** Recipient and content; null once the mail is sent or given up. */
  @Column({ name: 'sealed_content', type: 'text', nullable: true })
  sealedContent: string | null;

  @Column('text')
  status: 'pending' | 'sent' | 'failed';

  @Column('smallint')
  attempts: number;

  @Column({ name: 'due_at', type: 'timestamptz', precision: 3 })
  dueAt: Date;

  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'give_up_at', type: 'timestamptz', precision: 3 })
  giveUpAt: Date;

  @Column({ name: 'sent_at', type: 'timestamptz', precision: 3, nullable: true })
  sentAt: Date | null;

  /** Without addresses and links. */
  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError: string | null;
}
