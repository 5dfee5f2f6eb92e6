import fc from 'fast-check';
import { cursorAt, type Place, type PlaceKind, readPlace, startOf } from './list-place.js';

const time = fc.date({ noInvalidDate: true, min: new Date(-8.64e15), max: new Date(8.64e15) });
const values = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant<PlaceKind>('time'), value: time }),
    fc.record({ kind: fc.constant<PlaceKind>('number'), value: fc.integer() }),
  ),
  { maxLength: 3 },
);
const key = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed());

const notFound = (): Promise<Place | null> => Promise.resolve(null);

describe('a cursor', () => {
  it('leads back to its place, whatever the key', () => {
    fc.assert(
      fc.property(values, key, (sorted, id) => {
        const place = [...sorted.map(({ value }) => value), id] as unknown as Place;
        const kinds = sorted.map(({ kind }) => kind);
        const query = new URLSearchParams(`starting_after=${cursorAt(place)}`);
        expect(readPlace(query.get('starting_after') ?? '', kinds)).toEqual(place);
      }),
    );
  });

  it('has no place in a list that is sorted by other things', () => {
    const cursor = cursorAt([new Date(5), 'a']);
    expect(readPlace(cursor, [])).toBeNull();
    expect(readPlace(cursor, ['time', 'time'])).toBeNull();
    for (const bad of ['a', '', 'a/zzzzzzzzzzz', 'a/-', 'a/1.', 'a/A', 'a/99999999999999']) {
      expect(readPlace(bad, ['time'])).toBeNull();
    }
    expect(readPlace('a/zzzzzzzz', ['number'])).toBeNull();
  });

  it('is looked up if it is only a key, and refused if no item has it', async () => {
    const place: Place = [new Date(7), 'known'];
    const find = (id: string): Promise<Place | null> => Promise.resolve(id === 'known' ? place : null);
    expect(await startOf(null, ['time'], find)).toBeNull();
    expect(await startOf('known', ['time'], find)).toBe(place);
    expect(await startOf(cursorAt([new Date(3), 'gone']), ['time'], notFound)).toEqual([new Date(3), 'gone']);
    await expect(startOf('gone', ['time'], find)).rejects.toThrow('"gone" is not an item of this list');
  });
});
