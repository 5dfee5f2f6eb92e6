export const epochMs = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::bigint`;
