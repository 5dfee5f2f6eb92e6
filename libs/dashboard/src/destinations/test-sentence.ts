import type { DestinationTest } from './destinations.writes.js';

/** The answer of a tool to a test event, in a sentence. */
export function testSentence(
  tool: string,
  { delivered, response_status: status, reason_text: reason }: DestinationTest,
): string {
  const detail = reason === null || reason === '' ? null : /[.!?]$/.test(reason) ? reason : `${reason}.`;
  if (delivered) return detail === null ? 'Test event delivered.' : `Test event delivered. ${detail}`;
  if (status === null) return detail ?? `${tool} did not answer.`;
  return detail === null ? `${tool} answered ${status}.` : `${tool} answered ${status}: ${detail}`;
}
