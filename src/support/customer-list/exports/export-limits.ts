/** A file is deleted this long after it was finished. */
export const EXPORT_LIFETIME_MS = 86_400_000;

export const MAX_EXPORT_ROWS = 1_000_000;

/** Compressed bytes of a file. */
export const MAX_EXPORT_BYTES = 256 * 1024 * 1024;

/** Customers of the project read for one piece of a file, whether or not they meet the filters. */
export const EXPORT_WINDOW = 2_000;
