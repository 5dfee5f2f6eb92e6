import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

const store = 'app_store';
type Result = 'sent' | 'refused';

@Injectable()
export class ConsumptionMetrics {
  private readonly answers: Counter;

  constructor(registry: Registry) {
    this.answers = new Counter({
      name: 'tenure_refund_answers_total',
      help: 'Answers to refund requests of stores, by what the store said: sent, or refused for good.',
      labelNames: ['store', 'result'],
      registers: [registry],
    });
    for (const result of ['sent', 'refused']) this.answers.inc({ store, result }, 0);
  }

  refundAnswered(result: Result): void {
    this.answers.inc({ store, result });
  }
}
