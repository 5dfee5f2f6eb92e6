const TYPES: Record<string, string> = {
  gz: 'application/gzip',
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
};

export function mediaTypeOf(key: string): string {
  return TYPES[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}
