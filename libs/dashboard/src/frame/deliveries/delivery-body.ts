/** Returns the app user id in a request body; null if there is none. */
export function customerOfBody(body: string): string | null {
  try {
    const { event } = JSON.parse(body) as { event?: { app_user_id?: unknown } };
    return typeof event?.app_user_id === 'string' && event.app_user_id !== '' ? event.app_user_id : null;
  } catch {
    return null;
  }
}
