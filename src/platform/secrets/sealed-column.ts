/** A row of a table with sealed texts: its key columns. */
export type SealedRowKey = Record<string, string>;

/**
 * Where a table keeps sealed texts, told by the feature that owns it, so that all of them can be checked and sealed
 * anew. A column of type `json` holds several by name, one of type `text` holds one.
 */
export interface SealedColumn {
  table: string;
  /** Columns of the primary key, in its order; all are texts. */
  key: readonly string[];
  column: string;
  type: 'text' | 'json';
  /** The place under which the text was sealed; `name` is null in a `text` column. */
  place(key: SealedRowKey, name: string | null): string;
}
