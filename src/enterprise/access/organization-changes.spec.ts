import { changesBetween } from './organization-changes.js';

describe('changesBetween', () => {
  it('has old and new values of plain fields, and `changed` for all others', () => {
    const before = { name: 'A', url: 'https://a.example/x?key=1', secret: 'one', same: [1] };
    const after = { name: 'B', url: 'https://b.example/x?key=2', secret: 'two', same: [1], more: 'x' };
    expect(changesBetween(before, after, ['name', 'url', 'same'])).toEqual({
      more: 'changed',
      name: ['A', 'B'],
      secret: 'changed',
      url: ['https://a.example/x', 'https://b.example/x'],
    });
  });

  it('says only `changed` of what there is no room for, and of values that look the same', () => {
    const text = (letter: string) => Array.from({ length: 20 }, () => letter.repeat(500));
    const names = ['a', 'b', 'c', 'd'];
    const of = (letter: string) => Object.fromEntries(names.map((name) => [name, text(letter)]));
    const changes = changesBetween(of('x'), of('y'), names);
    expect(Object.keys(changes)).toEqual(names);
    expect(changes.d).toBe('changed');
    expect(changesBetween({ url: 'https://a.example?1' }, { url: 'https://a.example?2' }, ['url'])).toEqual({
      url: 'changed',
    });
  });
});
