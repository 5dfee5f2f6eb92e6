import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { Transaction } from '../../platform/database/database.service.js';
import type { ImportedCustomerDto } from '../customers/customer-import.dto.js';
import {
  ImportResolver,
  type Resolutions,
  type UnresolvedSubscription,
} from '../customers/import-resolver.js';
import { BackgroundQuestionsService } from './background-questions.service.js';
import { type ItemQuestion, questionsOf } from './item-questions.policy.js';
import { resolutionsOf } from './item-resolutions.policy.js';
import { StoreAnswersService } from './store-answers.service.js';
import { type QuestionAnswer, StoreAnswers, type StoreQuestion } from './store-questions.js';
import { UnkeyedSubscriptionsRepository } from './unkeyed-subscriptions.repository.js';
import { UnknownOrdersRepository } from './unknown-orders.repository.js';

/** Time limit of one call for all stores combined. */
const LIMIT_MS = 3_000;
const unknownLately: QuestionAnswer = {
  kind: 'unknown',
  message: 'its store recently did not know it',
  isRemembered: true,
};

@Injectable()
export class StoreImportResolver extends ImportResolver {
  constructor(
    private readonly stores: StoreAnswersService,
    private readonly subscriptions: UnkeyedSubscriptionsRepository,
    private readonly orders: UnknownOrdersRepository,
    private readonly background: BackgroundQuestionsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
  }

  async resolve(
    projectId: string,
    customers: readonly ImportedCustomerDto[],
    emits: boolean,
  ): Promise<Resolutions> {
    const asked = questionsOf(customers);
    if (asked.length === 0) return new Map();
    const startedAt = performance.now();
    const answers = await this.known(projectId, asked);
    const open = asked
      .map(({ question }) => question)
      .filter((question) => answers.find(question) === undefined);
    answers.join(await this.stores.ask(projectId, open, LIMIT_MS));
    const withTokens = asked.map((one) => withToken(one, answers));
    const more = withTokens.filter((one, index) => one !== asked[index]).map(({ question }) => question);
    const leftMs = Math.max(0, LIMIT_MS - (performance.now() - startedAt));
    if (more.length > 0) answers.join(await this.stores.ask(projectId, more, leftMs));
    await this.orders.remember(projectId, unknownOrders(asked, answers), this.clock.nowMs());
    const { resolutions, unanswered } = resolutionsOf(withTokens, answers);
    await this.background.lookUp(projectId, unanswered, emits);
    return resolutions;
  }

  async later(tx: Transaction, projectId: string, left: UnresolvedSubscription[]): Promise<void> {
    const unknown = left.filter(({ isUnknown }) => isUnknown);
    await this.subscriptions.recordMisses(
      tx,
      projectId,
      unknown.map(({ id }) => id),
      this.clock.nowMs(),
    );
    const appIds = [...new Set(left.filter((one) => !one.isUnknown).map(({ appId }) => appId))];
    if (appIds.length > 0) tx.afterCommit(() => void this.background.resolve(projectId, appIds));
  }

  /** Answers known from earlier calls and receipts. */
  private async known(projectId: string, asked: ItemQuestion[]): Promise<StoreAnswers> {
    const answers = new StoreAnswers();
    const orders = asked.map(({ question }) => question).filter(({ kind }) => kind === 'order');
    for (const question of await this.orders.remembered(projectId, orders, this.clock.nowMs()))
      answers.add(question, unknownLately);
    const wanted = asked.filter(({ isRaw }) => !isRaw).map(({ question }) => question);
    if (wanted.length === 0) return answers;
    const appIds = [...new Set(wanted.map(({ appId }) => appId))];
    const ids = wanted.map(({ id }) => id);
    const rows = await this.subscriptions.named(projectId, appIds, ids, this.clock.nowMs());
    const byName = new Map(rows.map((row) => [`${row.appId} ${row.id}`, row]));
    for (const question of wanted) {
      const row = byName.get(`${question.appId} ${question.id}`);
      if (typeof row?.key === 'string') answers.add(question, { kind: 'key', key: row.key });
      else if (row) answers.add(question, unknownLately);
    }
    return answers;
  }
}

/** Orders that the store has just reported as unknown. */
function unknownOrders(asked: ItemQuestion[], answers: StoreAnswers): StoreQuestion[] {
  return asked
    .map(({ question }) => question)
    .filter((question) => {
      const answer = answers.find(question);
      return question.kind === 'order' && answer?.kind === 'unknown' && answer.isRemembered !== true;
    });
}

/** Replaces the question about a bare order with one about its token, once that is known. */
function withToken(one: ItemQuestion, answers: StoreAnswers): ItemQuestion {
  const answer = answers.find(one.question);
  if (!one.isRaw || one.question.kind !== 'order' || answer?.kind !== 'key') return one;
  const { appId } = one.question;
  const question: StoreQuestion = { appId, kind: 'purchase', id: answer.key, storeUserId: null };
  return { ...one, question };
}
