import { jest } from '@jest/globals';
import { CallError } from '../../../../api/call-error.js';
import type { Paywall } from '../../paywall.types.js';
import type { SaveState } from '../paywall-editor-context.js';
import { screenWith } from '../testing/example.js';
import { DocumentSaver } from './document-saver.js';

type Body = { revision: number; default_locale?: string };

/** A server that accepts, refuses or loses requests. */
function setUp() {
  const bodies: Body[] = [];
  const states: SaveState[] = [];
  let server = 1;
  const document = screenWith([]);
  const next: ('lose answer' | 'offline' | CallError)[] = [];
  const executed = new Map<string, number>();
  const send = async (body: Body): Promise<Paywall> => {
    bodies.push(body);
    await Promise.resolve();
    const failure = next.shift();
    if (failure === 'offline') throw new CallError('The server cannot be reached.', { retryable: true });
    if (failure instanceof CallError) throw failure;
    const key = JSON.stringify(body);
    if (!executed.has(key)) {
      if (body.revision !== server) throw new CallError('Someone else', { status: 409 });
      executed.set(key, ++server);
    }
    if (failure === 'lose answer') throw new CallError('The server cannot be reached.', { retryable: true });
    return { components: { draft: { revision: executed.get(key) }, published: null } } as unknown as Paywall;
  };
  const saver = new DocumentSaver({
    send,
    document,
    revision: 1,
    onState: (state) => states.push(state),
  });
  const type = (locale: string) => saver.update({ ...document, default_locale: locale });
  return { saver, type, bodies, states, next, raise: () => server++, last: () => states.at(-1) };
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('saves what changed 800 ms after the last change', async () => {
  const { type, bodies, last } = setUp();
  type('de_DE');
  await jest.advanceTimersByTimeAsync(700);
  type('fr_FR');
  await jest.advanceTimersByTimeAsync(799);
  expect(bodies).toEqual([]);
  expect(last()).toEqual({ status: 'unsaved' });
  await jest.advanceTimersByTimeAsync(1);
  expect(bodies).toEqual([{ default_locale: 'fr_FR', revision: 1 }]);
  expect(last()).toEqual({ status: 'saved' });
});

it('bases the next save on the revision of the last', async () => {
  const { saver, type, bodies } = setUp();
  type('de_DE');
  await expect(saver.saveNow()).resolves.toBe(2);
  type('fr_FR');
  await expect(saver.saveNow()).resolves.toBe(3);
  expect(bodies.map(({ revision }) => revision)).toEqual([1, 2]);
});

it('repeats a request whose answer was lost before it sends newer changes', async () => {
  const { saver, type, bodies, next, last } = setUp();
  next.push('lose answer');
  type('de_DE');
  await expect(saver.saveNow()).resolves.toBeNull();
  expect(last()).toEqual({ status: 'failed', reason: 'The server cannot be reached.' });
  type('fr_FR');
  await expect(saver.saveNow()).resolves.toBe(3);
  expect(bodies.map(({ default_locale: locale }) => locale)).toEqual(['de_DE', 'de_DE', 'fr_FR']);
  expect(last()).toEqual({ status: 'saved' });
});

it('sends the newest document after a refusal', async () => {
  const { saver, type, bodies, next } = setUp();
  next.push(new CallError('Too long.', { status: 400 }));
  type('de_DE');
  await saver.saveNow();
  type('fr_FR');
  await expect(saver.saveNow()).resolves.toBe(2);
  expect(bodies.at(-1)).toEqual({ default_locale: 'fr_FR', revision: 1 });
});

it('stops at a conflict until it continues with another document', async () => {
  const { saver, type, bodies, raise, last } = setUp();
  raise();
  type('de_DE');
  await jest.advanceTimersByTimeAsync(800);
  expect(last()).toEqual({ status: 'conflict' });
  type('fr_FR');
  await jest.advanceTimersByTimeAsync(5000);
  expect(bodies).toHaveLength(1);
  saver.reset(screenWith([]), 2);
  expect(last()).toEqual({ status: 'saved' });
  saver.update({ ...screenWith([]), default_locale: 'it_IT' });
  await expect(saver.saveNow()).resolves.toBe(3);
});

it('tries again with the next change', async () => {
  const { type, next, last } = setUp();
  next.push('offline');
  type('de_DE');
  await jest.advanceTimersByTimeAsync(800);
  expect(last()?.status).toBe('failed');
  type('fr_FR');
  await jest.advanceTimersByTimeAsync(800);
  expect(last()).toEqual({ status: 'saved' });
});
