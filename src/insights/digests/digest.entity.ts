import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DigestPeriod } from './digest-schedule.policy.js';
import type { DigestFigure } from './digest-figures.js';

/** Figures of a project that are sent to a channel or to members, every day or every week. */
@Entity('digests')
export class Digest {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  /** A destination of a chat tool; null if the digest is mailed. */
  @Column('text', { nullable: true })
  destinationId: string | null;

  /** Ids of the members who get it by mail. */
  @Column('text', { array: true })
  emails: string[];

  @Column('text')
  period: DigestPeriod;

  /** 1 is Monday. Only used by weekly digests. */
  @Column('smallint')
  weekday: number;

  @Column('smallint')
  hour: number;

  @Column('text')
  timeZone: string;

  @Column('text', { array: true })
  figures: DigestFigure[];

  @Column('text')
  environment: 'production' | 'sandbox';

  /** Whether a period without anything to report is sent. */
  @Column('boolean')
  sendEmpty: boolean;

  @Column('boolean')
  enabled: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** When the job sends it next, or looks again for figures that are still computed. */
  @Column({ type: 'timestamptz', precision: 3 })
  dueAt: Date;

  /** Set while a process works on it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  /** How often the present period was put off because figures were still computed. */
  @Column('smallint')
  delays: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastSentAt: Date | null;

  /** The newest period that was sent on schedule: a day, or the first and the last day of a week. */
  @Column('text', { nullable: true })
  lastPeriod: string | null;
}
