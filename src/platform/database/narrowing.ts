import { type Statement, statement } from './statement.js';

/**
 * A statement that is narrowed by what was asked for. Each combination of conditions is a statement of its own,
 * so that none is planned for conditions that are not there.
 */
export class Narrowing {
  readonly values: unknown[];

  /** `values` are $1, $2, … of what the statement always has. */
  constructor(
    private name: string,
    values: readonly unknown[],
  ) {
    this.values = [...values];
  }

  /** ` AND …` with the parameter of the value; nothing for null. `name` tells the condition from the others. */
  when(name: string, value: unknown, condition: (parameter: string) => string): string {
    if (value === null) return '';
    this.name += `+${name}`;
    return ` AND ${condition(this.parameter(value))}`;
  }

  /** ` AND …`: what comes behind a row of a list that is sorted by `columns`; nothing for null. */
  behind(
    columns: readonly string[],
    row: readonly unknown[] | null,
    direction: 'ASC' | 'DESC' = 'DESC',
  ): string {
    if (row === null) return '';
    this.name += '+behind';
    const parameters = row.map((value) => this.parameter(value));
    return ` AND (${columns.join(', ')}) ${direction === 'ASC' ? '>' : '<'} (${parameters.join(', ')})`;
  }

  /** The statement with this text. */
  statement(text: string): Statement {
    return statement(this.name, text);
  }

  private parameter(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}
