const JSON_TYPE = 'application/json';
const EVENT_TYPE = 'text/event-stream';

/**
 * How a message is answered: as the protocol prefers it, as one JSON body, or as one event of a stream. Null if the
 * client takes neither.
 */
export type AnswerForm = 'protocol' | 'json' | 'event';

const ENTRY = /^([!#$&^.+\-\w]+|\*)\/([!#$&^.+\-\w]+|\*)$/;

/** Whether each media range of the header is acceptable (q above 0); empty without a readable one. */
function rangesOf(header: string): Map<string, boolean> {
  const ranges = new Map<string, boolean>();
  for (const entry of header.toLowerCase().split(',')) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (ENTRY.test(range)) ranges.set(range, Number(q) > 0);
  }
  return ranges;
}

/** The most specific range decides. */
function accepts(ranges: Map<string, boolean>, type: string): boolean {
  const wildcard = `${type.split('/')[0]}/*`;
  return ranges.get(type) ?? ranges.get(wildcard) ?? ranges.get('*/*') ?? false;
}

/** The protocol asks clients to name both types, and many do not. */
export function answerForm(header: string | undefined): AnswerForm | null {
  const ranges = rangesOf(header ?? '');
  if (ranges.size === 0) return 'json';
  if (ranges.get(JSON_TYPE) && ranges.get(EVENT_TYPE)) return 'protocol';
  if (accepts(ranges, JSON_TYPE)) return 'json';
  return accepts(ranges, EVENT_TYPE) ? 'event' : null;
}

const DATA = 'data: ';

/** A JSON-RPC message and its media type, in the form that the client takes. */
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
