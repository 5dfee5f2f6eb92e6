const JSON_TYPE = 'application/json';
const EVENT_TYPE = 'text/event-stream';

/**
 * Format of a response: the protocol's choice, one JSON body, or one event of a stream. Null if the client accepts
 * neither.
 */
export type AnswerForm = 'protocol' | 'json' | 'event';

const ENTRY = /^([!#$&^.+\-\w]+|\*)\/([!#$&^.+\-\w]+|\*)$/;

/** Maps each media range of the header to whether it is acceptable (q above 0). Skips invalid ones. */
function rangesOf(header: string): Map<string, boolean> {
  const ranges = new Map<string, boolean>();
  for (const entry of header.toLowerCase().split(',')) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (ENTRY.test(range)) ranges.set(range, Number(q) > 0);
  }
  return ranges;
}

/** The most specific range wins. */
function accepts(ranges: Map<string, boolean>, type: string): boolean {
  const wildcard = `${type.split('/')[0]}/*`;
  return ranges.get(type) ?? ranges.get(wildcard) ?? ranges.get('*/*') ?? false;
}

/** The protocol requires clients to accept both types, but many do not. */
export function answerForm(header: string | undefined): AnswerForm | null {
  const ranges = rangesOf(header ?? '');
  if (ranges.size === 0) return 'json';
  if (ranges.get(JSON_TYPE) && ranges.get(EVENT_TYPE)) return 'protocol';
  if (accepts(ranges, JSON_TYPE)) return 'json';
  return accepts(ranges, EVENT_TYPE) ? 'event' : null;
}

const DATA = 'data: ';

/** Converts a JSON-RPC message and its media type to the format that the client accepts. */
export function inForm(form: AnswerForm, type: string, body: string): { type: string; body: string } {
  const isEvent = type.startsWith(EVENT_TYPE);
  if (form === 'json' && isEvent) {
    const line = body.split('\n').find((candidate) => candidate.startsWith(DATA)) ?? '';
    return { type: JSON_TYPE, body: line.slice(DATA.length) };
  }
  if (form === 'event' && !isEvent && body !== '') {
    return { type: EVENT_TYPE, body: `event: message\n${DATA}${body}\n\n` };
  }
  return { type, body };
}
