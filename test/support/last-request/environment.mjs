import { TestEnvironment } from 'jest-environment-node';

const SECRET_HEADERS = ['authorization', 'cookie'];
const MAX_LENGTH = 2000;

function inShort(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)` : text;
}

function describeExchange({ method, path, headers, body, answer }) {
  const lines = ['Last request:', `${method} ${path}`];
  for (const [name, value] of Object.entries(headers)) {
    lines.push(`${name}: ${SECRET_HEADERS.includes(name.toLowerCase()) ? '[redacted]' : value}`);
  }
  if (body !== undefined) lines.push(inShort(body));
  lines.push('', answer ? `Answer: ${answer.status}` : 'No answer.');
  if (answer) lines.push(inShort(answer.body));
  return lines.join('\n');
}

/** Adds the last request of a failed test, and its answer, to the error that Jest prints. */
export default class LastRequestEnvironment extends TestEnvironment {
  handleTestEvent({ name, error }) {
    if (name === 'test_start') this.global.lastExchange = undefined;
    if (name !== 'test_fn_failure' && name !== 'hook_failure') return;
    const exchange = this.global.lastExchange;
    if (exchange === undefined || typeof error?.stack !== 'string') return;
    // Jest prints the stack, which begins with the message.
    const message = `${error.message}\n\n${describeExchange(exchange)}\n`;
    error.stack = error.stack.replace(error.message, () => message);
    error.message = message;
  }
}
