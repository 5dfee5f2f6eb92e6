import type { Statement } from '../../../platform/database/statement.js';

export interface Query {
  statement: Statement;
  values: unknown[];
}

/** Collects the values of a statement whose text depends on the question. */
export class SqlValues {
  readonly list: unknown[] = [];

  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}
