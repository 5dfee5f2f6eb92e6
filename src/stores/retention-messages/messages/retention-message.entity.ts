import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The text of a message that was created here. Apple has its state. */
@Entity('retention_messages')
export class RetentionMessageText {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  appId: string;

  @PrimaryColumn('text')
  environment: 'production' | 'sandbox';

  /** UUID. */
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  header: string;

  @Column('text')
  body: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
