import { type Statement, statement } from './statement.js';

/** Each combination of optional conditions is its own named statement: no plan covers conditions that are absent. */
export class Narrowing {
  readonly values: unknown[];

  /** @param values $1, $2, … that the statement always has */
  constructor(
    private name: string,
    values: readonly unknown[],
  ) {
    this.values = [...values];
  }

  /** ` AND …` with the value as a parameter, or nothing for null. `name` identifies the condition. */
  when(name: string, value: unknown, condition: (parameter: string) => string): string {
    if (value === null) return '';
    this.name += `+${name}`;
    return ` AND ${condition(this.parameter(value))}`;
  }

  /** ` AND …`: rows after the given one in a list sorted by `columns`; nothing for null. */
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

  statement(text: string): Statement {
    return statement(this.name, text);
  }

  private parameter(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}
