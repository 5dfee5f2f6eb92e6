/** Reason why a mail was not sent. `error` has no addresses, links or credentials, because it is stored and logged. */
export interface SendFailure {
  /** No later attempt can succeed. */
  permanent: boolean;
  error: string;
}

/** Error thrown by nodemailer; all fields are optional. */
interface SmtpError {
  code?: unknown;
  command?: unknown;
  response?: unknown;
}

/**
 * Commands whose rejection concerns this mail. Others, such as a failed login, are caused by settings that the operator
 * can correct.
 */
const ABOUT_THE_MAIL = ['RCPT TO', 'DATA'];

/** Replies quote addresses, so only their codes are stored (RFC 3463). */
const REPLY = /^([245]\d\d)[ -]?(\d\.\d{1,3}\.\d{1,3})?/;

export function smtpFailure(thrown: unknown): SendFailure {
  const { code, command, response } = (thrown ?? {}) as SmtpError;
  const [, status, enhanced] = REPLY.exec(typeof response === 'string' ? response : '') ?? [];
  const during = typeof command === 'string' && /^[A-Z ]{2,12}$/.test(command) ? command : null;
  if (status === undefined) {
    const kind = typeof code === 'string' && /^[A-Z_]{2,20}$/.test(code) ? code : 'unknown';
    return { permanent: false, error: `The mail server cannot be reached or does not answer (${kind}).` };
  }
  const reply = [status, enhanced].filter((part) => part !== undefined).join(' ');
  const at = during === null ? '' : ` at ${during}`;
  const permanent = status.startsWith('5') && during !== null && ABOUT_THE_MAIL.includes(during);
  return { permanent, error: `The mail server refused the mail: ${reply}${at}.` };
}
