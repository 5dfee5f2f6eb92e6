import { Injectable } from '@nestjs/common';
import { within } from '../../../libs/kernel/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { LogService } from '../../platform/observability/log.service.js';
import type { AskedApp, StoreAnswer } from './asked-app.js';
import { AskedAppsService } from './asked-apps.service.js';
import { type QuestionAnswer, StoreAnswers, type StoreQuestion } from './store-questions.js';

/** Concurrent questions to one store. */
const AT_ONCE = 8;

function answered(answer: Exclude<StoreAnswer, { kind: 'not_asked' }>): QuestionAnswer {
  return answer.kind === 'found' ? { kind: 'report', verified: answer.verified } : answer;
}

/** Asks stores before an import is recorded: never inside a transaction, and only for a short time. */
@Injectable()
export class StoreAnswersService {
  constructor(
    private readonly apps: AppsService,
    private readonly asked: AskedAppsService,
    private readonly log: LogService,
  ) {}

  /** Never throws a store's error. Questions without an answer in time are left to the background. */
  async ask(projectId: string, questions: readonly StoreQuestion[], limitMs: number): Promise<StoreAnswers> {
    const answers = new StoreAnswers();
    const appIds = [...new Set(questions.map(({ appId }) => appId))];
    const all = appIds.map((appId) =>
      this.askApp(
        projectId,
        appId,
        questions.filter((question) => question.appId === appId),
        answers,
      ),
    );
    await within(Promise.all(all), limitMs, null);
    return answers;
  }

  private async askApp(
    projectId: string,
    appId: string,
    questions: StoreQuestion[],
    answers: StoreAnswers,
  ): Promise<void> {
    try {
      const app = await this.apps.find(projectId, appId);
      if (!app) return;
      const asked = this.asked.open(app);
      if (typeof asked === 'string') {
        answers.refuse(appId, asked);
        return;
      }
      await this.askOrders(asked, questions, answers);
      const others = questions.filter(({ kind }) => kind !== 'order');
      await Promise.all(Array.from({ length: AT_ONCE }, () => this.askNext(asked, others, answers)));
      const failure = asked.pause?.failure;
      if (failure) answers.refuse(appId, failure.message);
    } catch (error) {
      this.log.error({ err: error, projectId, appId }, 'a store was not asked for an import');
    }
  }

  private async askOrders(asked: AskedApp, questions: StoreQuestion[], answers: StoreAnswers): Promise<void> {
    const orders = questions.filter(({ kind }) => kind === 'order');
    const { keys, unknown } = await asked.keysOfOrders(orders.map(({ id }) => id));
    const isUnknown = new Set(unknown);
    for (const question of orders) {
      const key = keys.get(question.id);
      if (key !== undefined) answers.add(question, { kind: 'key', key });
      else if (isUnknown.has(question.id))
        answers.add(question, { kind: 'unknown', message: 'the store knows no such order' });
    }
    if (asked.ordersRefused !== null) answers.refuse(asked.app.id, asked.ordersRefused);
  }

  /** Processes questions from the list until it is empty or the store stops answering. */
  private async askNext(asked: AskedApp, left: StoreQuestion[], answers: StoreAnswers): Promise<void> {
    for (let question = left.shift(); question; question = left.shift()) {
      const answer =
        question.kind === 'purchase'
          ? await asked.lookUp(question)
          : await asked.identify(question.id, 'production');
      if (answer.kind === 'not_asked') return;
      answers.add(question, answered(answer));
    }
  }
}
