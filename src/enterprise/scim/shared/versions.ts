import { ApiError } from '../../../platform/http/errors/api-error.js';

export function etagOf(version: number | string): string {
  return `W/"${version}"`;
}

/**
 * Whether a list of entity tags (`If-Match`, `If-None-Match`) contains this version. Weak and strong tags are equal.
 */
function lists(header: string, version: number | string): boolean {
  if (header.trim() === '*') return true;
  const tags = header.match(/(?:W\/)?"[^"]*"/gi) ?? [header.trim()];
  return tags.some((tag) => tag.replace(/^W\//i, '').replace(/^"|"$/g, '') === String(version));
}

/** @throws ApiError 412 if the client's version is outdated */
export function assertVersion(ifMatch: string | undefined, version: number | string): void {
  if (ifMatch === undefined || lists(ifMatch, version)) return;
  throw new ApiError('precondition_failed', `The resource has changed; its version is ${etagOf(version)}.`);
}

export function isKnownVersion(ifNoneMatch: string | undefined, version: number | string): boolean {
  return ifNoneMatch !== undefined && lists(ifNoneMatch, version);
}
