import { ChangeMarks } from './change-marks.js';

describe('marks of changes', () => {
  it('reports a change of one of the keys since the mark only', () => {
    const marks = new ChangeMarks();
    marks.note('a');
    const { mark } = marks;
    marks.note('b');
    expect(marks.hasChanged(mark, 'a')).toBe(false);
    expect(marks.hasChanged(mark, 'a', 'b')).toBe(true);
    expect(marks.hasChanged(marks.mark, 'b')).toBe(false);
  });

  it('reports every key after a change of everything', () => {
    const marks = new ChangeMarks();
    const { mark } = marks;
    marks.noteAll();
    expect(marks.hasChanged(mark, 'a')).toBe(true);
    expect(marks.hasChanged(marks.mark, 'a')).toBe(false);
  });

  it('reports changes that it no longer remembers', () => {
    const marks = new ChangeMarks();
    const { mark } = marks;
    marks.note('a');
    const later = marks.mark;
    for (let index = 0; index < 10_000; index++) marks.note(`${index}`);
    expect(marks.hasChanged(mark, 'a')).toBe(true);
    expect(marks.hasChanged(later, 'a')).toBe(false);
    expect(marks.hasChanged(later, '9999')).toBe(true);
  });
});
