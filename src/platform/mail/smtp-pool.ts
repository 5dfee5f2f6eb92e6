const ANSWER_TIMEOUT_MS = 5_000;
const SOCKET_TIMEOUT_MS = 10_000;

export type SmtpPool = Awaited<ReturnType<typeof smtpPool>>;

/** Connections to the mail server of `SERVICE_SMTP_URL`, opened on demand. */
export async function smtpPool(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    pool: true,
    maxConnections: 3,
    // Covers an idle connection that the server closes at the same time.
    maxRequeues: 1,
    idleTimeout: 30_000,
    dnsTimeout: ANSWER_TIMEOUT_MS,
    connectionTimeout: ANSWER_TIMEOUT_MS,
    greetingTimeout: ANSWER_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
