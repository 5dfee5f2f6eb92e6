/**
 * One SQL statement of the product: a unique name (the server keeps its plan under it, and it shows
 * in error messages) and its text with `$n` parameters.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export function statement(name: string, text: string): Statement {
  return { name, text };
}
