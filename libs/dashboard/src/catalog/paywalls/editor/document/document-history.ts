import type { PaywallDocument } from '../../paywall.types.js';
import { changedDocument, type DocumentChange } from './document-changes.js';
import { pointerOf } from './json-path.js';

const MAX_STEPS = 100;

/** Changes of one value at this distance are one step: typing a word, or dragging in a color chooser. */
const SAME_STEP_MS = 1000;

export interface DocumentHistory {
  past: readonly PaywallDocument[];
  present: PaywallDocument;
  future: readonly PaywallDocument[];
  /** The value that the last change set. */
  last: { pointer: string; atMs: number } | null;
}

export type HistoryAction =
  | { type: 'change'; change: DocumentChange; atMs: number }
  | { type: 'undo' | 'redo' }
  | { type: 'reset'; document: PaywallDocument };

export const newHistory = (document: PaywallDocument): DocumentHistory => ({
  past: [],
  present: document,
  future: [],
  last: null,
});

function changed(history: DocumentHistory, change: DocumentChange, atMs: number): DocumentHistory {
  const { past, present, last } = history;
  const next = changedDocument(present, change);
  if (next === present) return history;
  const pointer = change.type === 'set' ? pointerOf(change.path) : null;
  const isSameStep =
    pointer !== null && last !== null && last.pointer === pointer && atMs - last.atMs < SAME_STEP_MS;
  return {
    past: isSameStep ? past : [...past, present].slice(-MAX_STEPS),
    present: next,
    future: [],
    last: pointer === null ? null : { pointer, atMs },
  };
}

export function historyReducer(history: DocumentHistory, action: HistoryAction): DocumentHistory {
  const { past, present, future } = history;
  if (action.type === 'reset') return newHistory(action.document);
  if (action.type === 'change') return changed(history, action.change, action.atMs);
  const target = action.type === 'undo' ? past.at(-1) : future[0];
  if (!target) return history;
  return action.type === 'undo'
    ? { past: past.slice(0, -1), present: target, future: [present, ...future], last: null }
    : { past: [...past, present], present: target, future: future.slice(1), last: null };
}
