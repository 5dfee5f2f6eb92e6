import { answerForm, inForm } from './mcp-accept.policy.js';

describe('the form of an answer to an agent', () => {
  it.each([
    [undefined, 'json'],
    ['', 'json'],
    ['not a type', 'json'],
    ['application/json', 'json'],
    ['application/*', 'json'],
    ['*/*', 'json'],
    ['text/event-stream', 'event'],
    ['text/*', 'event'],
    ['application/json, text/event-stream', 'protocol'],
    ['TEXT/EVENT-STREAM;q=0.1 , Application/JSON; charset=utf-8', 'protocol'],
    ['application/json, */*', 'json'],
    ['text/event-stream, */*', 'json'],
    ['*/*, text/event-stream;q=0', 'json'],
    ['*/*, application/json;q=0', 'event'],
    ['application/json;q=0, text/event-stream', 'event'],
    ['application/json;q=0.0, text/event-stream; q=0', null],
    ['text/html', null],
    ['application/xml, image/*', null],
  ])('answers Accept %j with %j', (header, form) => {
    expect(answerForm(header)).toBe(form);
  });

  const message = '{"jsonrpc":"2.0","id":1,"result":{}}';
  const event = `event: message\ndata: ${message}\n\n`;

  it('holds the same message', () => {
    expect(inForm('json', 'text/event-stream', event)).toEqual({ type: 'application/json', body: message });
    expect(inForm('event', 'application/json', message)).toEqual({ type: 'text/event-stream', body: event });
    expect(inForm('protocol', 'text/event-stream', event).body).toBe(event);
    expect(inForm('event', '', '').body).toBe('');
  });
});
