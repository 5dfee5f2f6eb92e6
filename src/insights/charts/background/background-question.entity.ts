import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredAnswer } from './stored-answer.js';
import type { StoredQuestion } from './stored-question.js';

export type QuestionState = 'waiting' | 'computing' | 'done' | 'failed';

/** A question that takes too long for a request, with its answer. */
@Entity('chart_questions')
export class BackgroundQuestion {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  hash: string;

  @Column({ type: 'json' })
  question: StoredQuestion;

  @Column({ type: 'text' })
  state: QuestionState;

  @Column({ type: 'integer' })
  pieces: number;

  @Column({ type: 'integer' })
  piecesDone: number;

  /** Number of failures. */
  @Column({ type: 'integer' })
  attempts: number;

  @Column({ type: 'json', nullable: true })
  answer: StoredAnswer | null;

  /** The answer includes everything until this time. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  asOf: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  askedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  startedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  computedAt: Date | null;

  /** After this time, the question is computed again when it is asked. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** Null if nothing is left to do. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;
}
