import { reasonToEnd, type SessionRules } from './sql-sessions.policy.js';

const idle = { statementSeconds: null, transactionSeconds: null, holdsLock: false };
const user = { isExpired: false, isBlocked: false };
const rules: SessionRules = { access: 'replica', isPrimary: false, statementSeconds: 60 };

describe('the reason to end a session of a SQL user', () => {
  it.each([
    [idle, user, rules, null],
    [{ ...idle, statementSeconds: 60, transactionSeconds: 120 }, user, rules, null],
    [{ ...idle, statementSeconds: 60.1 }, user, rules, 'statement'],
    [{ ...idle, transactionSeconds: 120.1 }, user, rules, 'transaction'],
    [{ ...idle, holdsLock: true }, user, rules, 'lock'],
    [{ ...idle, holdsLock: true }, { ...user, isBlocked: true }, rules, 'lock'],
    [idle, { ...user, isBlocked: true }, rules, 'blocked'],
    [idle, { ...user, isExpired: true }, rules, 'expired'],
    [idle, null, rules, 'unknown'],
    [idle, user, { ...rules, isPrimary: true }, 'primary'],
    [idle, user, { ...rules, isPrimary: true, access: 'primary' }, null],
    [idle, user, { ...rules, access: 'primary' }, null],
    [idle, user, { ...rules, access: 'off' }, 'off'],
  ] as const)('ends or keeps %j of %j by %j: %s', (session, owner, by, reason) => {
    expect(reasonToEnd(session, owner, by)).toBe(reason);
  });
});
