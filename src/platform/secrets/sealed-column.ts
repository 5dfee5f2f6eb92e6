export type SealedRowKey = Record<string, string>;

/**
 * Declared by the owning feature, so that all can be verified and resealed. `json` contains texts by name, `text` one.
 */
export interface SealedColumn {
  table: string;
  /** Columns of the primary key, in order; all are text. */
  key: readonly string[];
  column: string;
  type: 'text' | 'json';
  /** The place under which the text was sealed; `name` is null for a `text` column. */
  place(key: SealedRowKey, name: string | null): string;
}
