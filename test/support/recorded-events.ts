import type { ApiClient, Json } from './api-client.js';

/** Types of a customer's events, oldest first, with their reasons. */
export async function recordedEvents(backend: ApiClient, path: string, appUserId: string): Promise<string[]> {
  const list = await backend.get(`${path}/customers/${encodeURIComponent(appUserId)}/events?limit=100`);
  if (list.status !== 200) throw new Error(`Expected 200, got ${list.status}: ${list.text}`);
  return (list.body.items as Json[])
    .map(({ body }) => body)
    .sort((a, b) => a.sequence - b.sequence)
    .map((event) => [event.type, event.cancel_reason ?? event.expiration_reason].filter(Boolean).join('/'));
}
