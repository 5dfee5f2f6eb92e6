import { pathOf, valueAt } from './json-path.js';
import { type DocumentHistory, historyReducer, newHistory } from './document-history.js';
import { screenWith } from '../testing/example.js';

const start = newHistory(screenWith([]));
const path = pathOf('/components_config/base/stack/spacing');
const set = (history: DocumentHistory, value: number, atMs: number, name = 'spacing') =>
  historyReducer(history, {
    type: 'change',
    change: { type: 'set', path: path.with(-1, name), value },
    atMs,
  });
const spacing = ({ present }: DocumentHistory) => valueAt(present, path);
const repeat = (history: DocumentHistory, type: 'undo' | 'redo', times: number): DocumentHistory =>
  times === 0 ? history : repeat(historyReducer(history, { type }), type, times - 1);

it('undoes the last 100 steps and does them again', () => {
  let history = start;
  for (let step = 1; step <= 120; step++) history = set(history, step, step * 2000);
  const undone = repeat(history, 'undo', 200);
  expect(spacing(undone)).toBe(20);
  expect(spacing(repeat(undone, 'redo', 200))).toBe(120);
});

it('counts changes of one value in quick succession as one step', () => {
  const typed = set(set(set(start, 1, 1000), 12, 1300), 120, 1900);
  expect(historyReducer(typed, { type: 'undo' }).present).toBe(start.present);
  expect(set(typed, 7, 9000).past).toHaveLength(2);
  expect(set(typed, 7, 2000, 'gap').past).toHaveLength(2);
});

it('forgets what was undone once something else changes', () => {
  const history = set(historyReducer(set(start, 1, 1000), { type: 'undo' }), 2, 5000);
  expect(history.future).toEqual([]);
  expect(spacing(historyReducer(history, { type: 'redo' }))).toBe(2);
});

it('does not count a change without an effect', () => {
  const history = set(start, 5, 1000);
  expect(set(history, 5, 9000)).toBe(history);
});

it('starts again with another document', () => {
  const document = screenWith([]);
  expect(historyReducer(set(start, 1, 1000), { type: 'reset', document })).toEqual(newHistory(document));
});
