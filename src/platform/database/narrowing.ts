import { createHash } from 'node:crypto';
import { type Statement, statement } from './statement.js';

/** PostgreSQL cuts longer names, so that two statements could share one. */
const MAX_NAME_LENGTH = 63;

function storedName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `${name.slice(0, MAX_NAME_LENGTH - hash.length - 1)}~${hash}`;
}

/**
 * Creates a separate named statement for each combination of optional conditions, so that no plan has to cover absent
 * conditions.
 */
export class Narrowing {
  readonly values: unknown[];

  /** @param values the parameters $1, $2, … present in every combination */
  constructor(
    private name: string,
    values: readonly unknown[],
  ) {
    this.values = [...values];
  }

  /** Returns ` AND …` with the value as a parameter, or nothing for null. `name` identifies the condition. */
  when(name: string, value: unknown, condition: (parameter: string) => string): string {
    if (value === null) return '';
    this.name += `+${name}`;
    return ` AND ${condition(this.parameter(value))}`;
  }

  /** Returns ` AND …` for rows after the given one in a list sorted by `columns`; nothing for null. */
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
    return statement(storedName(this.name), text);
  }

  private parameter(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}
