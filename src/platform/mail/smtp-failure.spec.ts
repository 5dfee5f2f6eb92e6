import { smtpFailure } from './smtp-failure.js';

const failure = (code: string, command: string, response: string) =>
  smtpFailure(Object.assign(new Error(response), { code, command, response }));

describe('a mail that the server refuses', () => {
  it.each([
    ['RCPT TO', '550 5.1.1 <bob@example.com> no such user', true, '550 5.1.1 at RCPT TO'],
    ['DATA', '554 https://spam.example/why?bob@example.com', true, '554 at DATA'],
    ['RCPT TO', '450-4.2.1 <bob@example.com> later', false, '450 4.2.1 at RCPT TO'],
    ['MAIL FROM', '550 5.7.1 tenure@example.com may not send', false, '550 5.7.1 at MAIL FROM'],
    ['AUTH PLAIN', '535 5.7.8 wrong password for bob', false, '535 5.7.8 at AUTH PLAIN'],
    ['CONN', '421 too many connections', false, '421 at CONN'],
  ])('reacts to %s with %s', (command, response, permanent, reply) => {
    expect(failure('EENVELOPE', command, response)).toEqual({
      permanent,
      error: `The mail server refused the mail: ${reply}.`,
    });
  });

  it.each([
    [{ code: 'ECONNECTION', command: 'CONN' }, 'ECONNECTION'],
    [{ code: 'bob@example.com' }, 'unknown'],
    [undefined, 'unknown'],
  ])('retries if there is no reply: %j', (thrown, kind) => {
    const error = `The mail server cannot be reached or does not answer (${kind}).`;
    expect(smtpFailure(thrown)).toEqual({ permanent: false, error });
  });
});
