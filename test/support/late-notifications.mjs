import pg from 'pg';

/**
 * A busy machine delivers PostgreSQL's notifications late. `LATE_NOTIFICATIONS_MS=500 npm run test:e2e` delays all of them:
 * a test that fails then depends on when they arrive.
 */
const delayMs = Number(process.env.LATE_NOTIFICATIONS_MS ?? 0);
if (delayMs > 0) {
  const { emit } = pg.Client.prototype;
  pg.Client.prototype.emit = function (name, ...values) {
    if (name !== 'notification') return emit.call(this, name, ...values);
    setTimeout(() => emit.call(this, name, ...values), delayMs);
    return true;
  };
}
