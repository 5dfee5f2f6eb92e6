/** The key columns of a row with sealed texts. */
export type SealedRowKey = Record<string, string>;

/**
 * A column of sealed texts, declared by the feature that owns it, so that all of them can be verified and
 * resealed. A `json` column holds several by name, a `text` column one.
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
