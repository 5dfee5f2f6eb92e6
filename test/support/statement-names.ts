import type pg from 'pg';
import { DatabaseService } from '../../src/platform/database/database.service.js';
import type { Statement } from '../../src/platform/database/statement.js';

interface Prepares {
  prepared: (this: Prepares, statement: Statement, values: unknown[]) => pg.QueryConfig;
}

const names = new Map<string, string>();
const prototype = DatabaseService.prototype as unknown as Prepares;
const { prepared } = prototype;

// Behind a pooler statements go out without their names.
prototype.prepared = function (statement, values) {
  names.set(statement.text, statement.name);
  return prepared.call(this, statement, values);
};

/** Name of what is sent to PostgreSQL; its text when it is no statement of the product's own. */
export function statementName(command: string | { name?: string; text: string }): string {
  const { name, text } = typeof command === 'string' ? { text: command } : command;
  return name ?? names.get(text) ?? text;
}
