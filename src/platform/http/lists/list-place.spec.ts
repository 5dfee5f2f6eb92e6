import fc from 'fast-check';
import { Cursor, cursorAt, type Place, type PlaceKind, startOf } from './list-place.js';

const time = fc.date({ noInvalidDate: true, min: new Date(-8.64e15), max: new Date(8.64e15) });
const values = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant<PlaceKind>('time'), value: time }),
    fc.record({ kind: fc.constant<PlaceKind>('number'), value: fc.integer() }),
  ),
  { maxLength: 3 },
);
const key = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed());

const path = '/v2/projects/proj1/customers';
const received = (text: string, at = path): Cursor =>
  new Cursor(new URLSearchParams(`starting_after=${text}`).get('starting_after') ?? '', at);

const notFound = (): Promise<Place | null> => Promise.resolve(null);

describe('a cursor', () => {
  it('leads back to its place, whatever the key', () => {
    fc.assert(
      fc.property(values, key, (sorted, id) => {
        const place = [...sorted.map(({ value }) => value), id] as unknown as Place;
        const kinds = sorted.map(({ kind }) => kind);
        expect(received(cursorAt(path, place)).placeBy(kinds)).toEqual(place);
      }),
    );
  });

  it('works for clients that copy it without decoding it and escape it again', () => {
    for (const id of ['$RCAnonymousID:ab', 'a@example.com', 'a.b-c_d~e', 'with/slash', 'prod1a2b3c']) {
      const copied = cursorAt(path, [new Date(5), id]);
      expect(copied).toMatch(/^[A-Za-z0-9$:@/._~-]+$/);
      expect(received(encodeURIComponent(copied)).placeBy(['time'])).toEqual([new Date(5), id]);
    }
  });

  it.each(['a b', 'a+b', 'a%b', 'a&b', 'a=b', 'a#b', 'a?b', 'a"b', "a'b", 'aéb'])('escapes %j', (id) => {
    expect(cursorAt(path, [id])).toMatch(/^a(?:%[0-9A-F]{2})+b\//);
    expect(received(cursorAt(path, [id])).placeBy([])).toEqual([id]);
  });

  it('holds for its own list only, however its path is escaped', () => {
    const cursor = cursorAt('/v2/projects/p/customers/$x/purchases', [new Date(5), 'a']);
    expect(received(cursor, '/v2/projects/p/customers/%24x/purchases').placeBy(['time'])).not.toBeNull();
    for (const other of [
      '/v2/projects/q/customers/$x/purchases',
      '/v2/projects/p/customers/$x/subscriptions',
    ]) {
      expect(received(cursor, other).placeBy(['time'])).toBeNull();
    }
    expect(received(cursor).placeBy([])).toBeNull();
    expect(received(cursor).placeBy(['time', 'time'])).toBeNull();
  });

  it('has no place once a character of it is changed', () => {
    const cursor = cursorAt(path, [new Date(1_000_000), 'known']);
    for (let index = 0; index < cursor.length; index++) {
      const damaged = `${cursor.slice(0, index)}${cursor[index] === '7' ? '8' : '7'}${cursor.slice(index + 1)}`;
      expect([damaged, received(damaged).placeBy(['time'])]).toEqual([damaged, null]);
    }
    for (const bad of [
      'a',
      '',
      'a/',
      'a/1',
      'a/zzzzzzzzzzz',
      'a/-',
      'a/1.',
      'a/A',
      '/',
      'known/lfls.000000',
    ]) {
      expect([bad, received(bad).placeBy(['time'])]).toEqual([bad, null]);
    }
  });

  it('looks up its key if it has no valid check, and refuses it if no item has the key', async () => {
    const place: Place = [new Date(7), 'known'];
    const find = (id: string): Promise<Place | null> => Promise.resolve(id === 'known' ? place : null);
    expect(await startOf(null, ['time'], find)).toBeNull();
    for (const text of ['known', 'known/lfls', 'known/lfls.000000']) {
      expect(await startOf(received(text), ['time'], find)).toBe(place);
    }
    const gone: Place = [new Date(3), 'gone'];
    expect(await startOf(received(cursorAt(path, gone)), ['time'], notFound)).toEqual(gone);
    await expect(startOf(received('gone/3'), ['time'], find)).rejects.toThrow(
      '"gone/3" is not an item of this list',
    );
  });
});
