import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('mails')
export class Mail {
  @PrimaryColumn({ type: 'text' })
  tenantId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  kind: string;

  /** Recipient and content; null once the mail is sent or has run out of retries. */
  @Column({ type: 'text', nullable: true })
  sealedContent: string | null;

  @Column('text')
  status: 'pending' | 'sent' | 'failed';

  @Column('smallint')
  attempts: number;

  @Column({ type: 'timestamptz', precision: 3 })
  dueAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  giveUpAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sentAt: Date | null;

  /** Contains no addresses or links. */
  @Column({ type: 'text', nullable: true })
  lastError: string | null;
}
