import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Author } from '../../platform/principal/author.js';

const time = { type: 'timestamptz', precision: 3 } as const;

/** What a member of the project wrote about a customer, for the team. */
@Entity('customer_notes')
export class CustomerNote {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  customerId: string;

  @Column('text')
  text: string;

  @Column('text')
  authorType: Author['type'];

  @Column('text')
  authorId: string;

  @Column('text', { nullable: true })
  authorEmail: string | null;

  @Column({ ...time })
  createdAt: Date;

  /** Null if the text was never changed. */
  @Column({ ...time, nullable: true })
  editedAt: Date | null;
}
