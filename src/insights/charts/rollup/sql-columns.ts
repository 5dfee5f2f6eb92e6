const ESCAPED = /["\\]/;

/** Array literals for `unnest`. They parse several times faster than JSON rows or the driver's arrays. */
export function textColumn(values: readonly (string | null)[]): string {
  const parts = values.map((value) => {
    if (value === null) return 'NULL';
    return ESCAPED.test(value) ? `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"` : `"${value}"`;
  });
  return `{${parts.join(',')}}`;
}

/** Zeros are stored as null, so that equal rows have equal values. */
export function amountColumn(values: readonly (number | undefined)[]): string {
  return `{${values.map((value) => value || 'NULL').join(',')}}`;
}

export function numberColumn(values: readonly (number | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}
