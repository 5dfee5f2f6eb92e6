import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { parsedMail } from './parsed-mail.js';

export interface ReceivedMail {
  /** Addresses of the envelope. */
  from: string;
  to: string[];
  /** By name in lower case, unfolded and decoded. */
  headers: Record<string, string>;
  subject: string;
  text: string;
  html: string;
  /** Every http and https address in the text part, in order. */
  links: string[];
  /** It came over TLS. */
  secure: boolean;
  /** The user who signed in; null without a sign-in. */
  user: string | null;
}

/** The server's reply to a mail: accepts it, refuses it after a command, or hangs. */
export type MailAnswer =
  'accept' | 'hang' | { at: 'MAIL FROM' | 'RCPT TO' | 'DATA'; reply: `${number} ${string}` };

export interface MailServer {
  /** Settings of a server that sends its mails here. */
  env: { SERVICE_SMTP_URL: string; SERVICE_MAIL_FROM: string };
  port: number;
  /** Mails in order of arrival. */
  mails: ReceivedMail[];
  /** Sets the replies from now on. */
  answerWith(answer: MailAnswer): void;
  /** Waits until so many mails have arrived in all. */
  received(count: number): Promise<void>;
  /** Waits until so many mails have begun in all (MAIL FROM), taken or not. */
  begun(count: number): Promise<void>;
  /** Ends all connections at once, whatever they wait for. */
  dropConnections(): void;
  mailsTo(address: string): ReceivedMail[];
  /** @throws Error if there is none */
  lastMailTo(address: string): ReceivedMail;
  /** The link of the last mail's action. @throws Error if there is none */
  lastLinkTo(address: string): URL;
  close(): Promise<void>;
}

function refusal(reply: string): Error {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
}

/** A mail server in this process. Without options: no TLS, no sign-in. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const events = new EventEmitter();
  let answer: MailAnswer = 'accept';
  let begun = 0;
  const decide = (at: string, done: (error?: Error | null) => void): void => {
    if (answer === 'hang') return;
    done(answer !== 'accept' && answer.at === at ? refusal(answer.reply) : null);
  };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 1,
    onMailFrom: (_address, _session, done) => {
      begun++;
      events.emit('mail');
      decide('MAIL FROM', done);
    },
    onRcptTo: (_address, _session, done) => decide('RCPT TO', done),
    onData: (stream, { envelope, secure, user }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (answer === 'accept') {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          const to = envelope.rcptTo.map(({ address }) => address);
          const parsed = parsedMail(Buffer.concat(chunks).toString('latin1'));
          mails.push({ from, to, ...parsed, secure, user: (user as string | undefined) ?? null });
        }
        decide('DATA', done);
        events.emit('mail');
      });
    },
    ...options,
  });
  // A client that went away.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const mailsTo = (address: string): ReceivedMail[] => mails.filter(({ to }) => to.includes(address));
  const lastMailTo = (address: string): ReceivedMail => {
    const mail = mailsTo(address).at(-1);
    if (!mail)
      throw new Error(`No mail to ${address}; there are ${mails.map(({ to }) => to.join()).join(' ')}`);
    return mail;
  };
  return {
    env: {
      SERVICE_SMTP_URL: `smtp://127.0.0.1:${port}`,
      SERVICE_MAIL_FROM: 'Tenure <tenure@mail.example>',
    },
    port,
    mails,
    answerWith: (next) => (answer = next),
    received: async (count) => {
      while (mails.length < count) await once(events, 'mail');
    },
    begun: async (count) => {
      while (begun < count) await once(events, 'mail');
    },
    dropConnections: () => {
      for (const connection of server.connections) connection._socket.destroy();
    },
    mailsTo,
    lastMailTo,
    lastLinkTo: (address) => new URL(lastMailTo(address).links[0] ?? ''),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
