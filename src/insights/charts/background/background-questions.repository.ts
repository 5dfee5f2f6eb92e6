import { Injectable } from '@nestjs/common';
import { isHere } from '../../../platform/data-location/is-here.sql.js';
import { DatabaseService, type Executor } from '../../../platform/database/database.service.js';
import { epochMs } from '../../../platform/database/epoch-ms.js';
import { acrossProjects, statement } from '../../../platform/database/statement.js';
import { type LeasedTable, renewalOf, renewalValues } from '../../../platform/jobs/app-queues.sql.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../../../platform/jobs/leased-work.js';
import { isFree, leaseEnd } from '../../../platform/jobs/leases.sql.js';
import type { FreeSlots } from '../../../platform/jobs/slots.js';
import type { QuestionState } from './background-question.entity.js';
import type { StoredAnswer } from './stored-answer.js';
import type { StoredQuestion } from './stored-question.js';

/** Projects that one poll returns. */
const MAX_PROJECTS = 100;

export interface QuestionKey {
  projectId: string;
  hash: string;
}

/** A question as far as a request needs it. */
export interface QuestionStatus {
  state: QuestionState;
  pieces: number;
  piecesDone: number;
  answer: StoredAnswer | null;
  asOfMs: number | null;
  askedAtMs: number;
  startedAtMs: number | null;
  computedAtMs: number | null;
  expiresAtMs: number | null;
}

export interface ClaimedQuestion extends QuestionKey, LeasedItem {
  question: StoredQuestion;
  attempts: number;
}

const leases: LeasedTable<QuestionKey> & { dueAt: string } = {
  table: 'chart_questions',
  key: { project_id: 'projectId', hash: 'hash' },
  leaseUntil: 'lease_until',
  dueAt: 'due_at',
};

const find = statement(
  'chart_questions.find',
  `SELECT state, pieces, pieces_done AS "piecesDone", answer, ${epochMs('as_of')} AS "asOfMs",
     ${epochMs('asked_at')} AS "askedAtMs", ${epochMs('started_at')} AS "startedAtMs",
     ${epochMs('computed_at')} AS "computedAtMs", ${epochMs('expires_at')} AS "expiresAtMs"
   FROM chart_questions WHERE project_id = $1 AND hash = $2`,
);

const touch = statement(
  'chart_questions.touch',
  'UPDATE chart_questions SET asked_at = $3 WHERE project_id = $1 AND hash = $2',
);

const countOpen = statement(
  'chart_questions.count_open',
  `SELECT count(*)::int AS count FROM chart_questions WHERE project_id = $1 AND due_at IS NOT NULL`,
);

/** A question that is not complete stays as it is. */
const enqueue = statement(
  'chart_questions.enqueue',
  `INSERT INTO chart_questions AS q (project_id, hash, question, state, pieces, asked_at, due_at)
   VALUES ($1, $2, $3, 'waiting', $4, $5, $5)
   ON CONFLICT (project_id, hash) DO UPDATE SET state = 'waiting', pieces = excluded.pieces, pieces_done = 0,
     attempts = 0, answer = NULL, as_of = NULL, asked_at = excluded.asked_at, started_at = NULL, computed_at = NULL,
     expires_at = NULL, due_at = excluded.due_at, lease_until = NULL
   WHERE q.due_at IS NULL`,
);

const dueProjects = acrossProjects(
  'chart_questions.due_projects',
  `SELECT q.project_id AS "projectId" FROM chart_questions q
   WHERE q.due_at <= $1 AND ${isFree('q.lease_until')} AND ${isHere('q.project_id')}
   GROUP BY q.project_id ORDER BY min(q.due_at) LIMIT ${MAX_PROJECTS}`,
);

const claim = statement(
  'chart_questions.claim',
  `UPDATE chart_questions q SET state = 'computing', pieces_done = 0, started_at = $2, due_at = $3,
     lease_until = ${leaseEnd('$2', '$3')}
   FROM (
     SELECT n.hash FROM chart_questions n
     WHERE n.project_id = $1 AND n.due_at <= $2 AND ${isFree('n.lease_until')} AND ${isHere('$1')}
     ORDER BY n.due_at LIMIT 1 FOR UPDATE OF n SKIP LOCKED) free
   WHERE q.project_id = $1 AND q.hash = free.hash
   RETURNING q.project_id AS "projectId", q.hash, q.question, q.attempts, q.lease_until AS "leaseUntil"`,
);

const renew = statement('chart_questions.renew', renewalOf(leases));

const saveProgress = statement(
  'chart_questions.progress',
  `UPDATE chart_questions SET pieces = $3, pieces_done = $4
   WHERE project_id = $1 AND hash = $2 AND state = 'computing'`,
);

const finish = statement(
  'chart_questions.finish',
  `UPDATE chart_questions SET state = 'done', answer = $4, as_of = $5, computed_at = $6, expires_at = $7,
     due_at = NULL, lease_until = NULL
   WHERE project_id = $1 AND hash = $2 AND lease_until = $3`,
);

const retry = statement(
  'chart_questions.retry',
  `UPDATE chart_questions SET state = 'waiting', attempts = attempts + 1, due_at = $4, lease_until = NULL
   WHERE project_id = $1 AND hash = $2 AND lease_until = $3`,
);

const fail = statement(
  'chart_questions.fail',
  `UPDATE chart_questions SET state = 'failed', attempts = attempts + 1, expires_at = $4, due_at = NULL,
     lease_until = NULL
   WHERE project_id = $1 AND hash = $2 AND lease_until = $3`,
);

const forgetAll = statement('chart_questions.forget', 'DELETE FROM chart_questions WHERE project_id = $1');

const forgetUnasked = statement(
  'chart_questions.forget_unasked',
  'DELETE FROM chart_questions WHERE project_id = $1 AND asked_at < $2',
);

export interface FinishedAnswer {
  /** JSON. */
  answer: string;
  asOf: Date;
  computedAt: Date;
  expiresAt: Date;
}

@Injectable()
export class BackgroundQuestionsRepository {
  constructor(private readonly database: DatabaseService) {}

  async find({ projectId, hash }: QuestionKey): Promise<QuestionStatus | null> {
    return (await this.database.query<QuestionStatus>(find, [projectId, hash]))[0] ?? null;
  }

  async touch({ projectId, hash }: QuestionKey, now: Date): Promise<void> {
    await this.database.query(touch, [projectId, hash, now]);
  }

  /** Counts a project's questions that are not answered. */
  async countOpen(projectId: string): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(countOpen, [projectId]);
    return row?.count ?? 0;
  }

  async enqueue(
    { projectId, hash }: QuestionKey,
    question: StoredQuestion,
    pieces: number,
    now: Date,
  ): Promise<void> {
    await this.database.query(enqueue, [projectId, hash, JSON.stringify(question), pieces, now]);
  }

  /** Leases at most one question of each project that has free slots. */
  async claim({ now, againAt }: LeaseTerms, free: FreeSlots): Promise<ClaimedQuestion[]> {
    const projects = await this.database.query<{ projectId: string }>(dueProjects, [now]);
    const claimed: ClaimedQuestion[] = [];
    for (const { projectId } of projects) {
      if (claimed.length === free.total) break;
      if ((free.byKey.get(projectId) ?? free.otherKeys) === 0) continue;
      claimed.push(...(await this.database.query<ClaimedQuestion>(claim, [projectId, now, againAt])));
    }
    return claimed;
  }

  async renew(held: HeldItem<ClaimedQuestion>[], terms: LeaseTerms): Promise<Date | null> {
    const rows = await this.database.query<LeasedItem>(renew, renewalValues(leases, held, terms));
    return rows[0]?.leaseUntil ?? null;
  }

  async saveProgress({ projectId, hash }: QuestionKey, pieces: number, done: number): Promise<void> {
    await this.database.query(saveProgress, [projectId, hash, pieces, done]);
  }

  /** Changes nothing if the question was deleted or claimed by another process. */
  async finish({ projectId, hash }: QuestionKey, leaseUntil: Date, finished: FinishedAnswer): Promise<void> {
    const { answer, asOf, computedAt, expiresAt } = finished;
    await this.database.query(finish, [projectId, hash, leaseUntil, answer, asOf, computedAt, expiresAt]);
  }

  async retryAt({ projectId, hash }: QuestionKey, leaseUntil: Date, dueAt: Date): Promise<void> {
    await this.database.query(retry, [projectId, hash, leaseUntil, dueAt]);
  }

  async fail({ projectId, hash }: QuestionKey, leaseUntil: Date, until: Date): Promise<void> {
    await this.database.query(fail, [projectId, hash, leaseUntil, until]);
  }

  /** Deletes all questions of a project, also those that are being computed. */
  async forgetAll(executor: Executor, projectId: string): Promise<void> {
    await executor.query(forgetAll, [projectId]);
  }

  async forgetUnasked(executor: Executor, projectId: string, before: Date): Promise<void> {
    await executor.query(forgetUnasked, [projectId, before]);
  }
}
