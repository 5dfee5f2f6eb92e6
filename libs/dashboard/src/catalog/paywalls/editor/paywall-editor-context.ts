import { createContext, use } from 'react';
import type { Path, Paywall, PaywallDocument, PaywallProblem } from '../paywall.types.js';
import type { DocumentChange } from './document/document-changes.js';
import type { SchemaNode } from './schema/document-schema.js';

/** Whether the server has the document. `failed` and `conflict` wait for the person. */
export type SaveState =
  { status: 'saved' | 'unsaved' | 'saving' | 'conflict' } | { status: 'failed'; reason: string };

export interface PaywallEditor {
  projectId: string;
  /** The paywall as the server last sent it; its content may be older than `document`. */
  paywall: Paywall;
  document: PaywallDocument;
  /** The schema of documents. */
  schema: SchemaNode;
  /** Changes the document, and returns where the changed component is afterwards. */
  dispatch: (change: DocumentChange) => Path;
  /** Null if there is nothing to undo. */
  undo: (() => void) | null;
  redo: (() => void) | null;
  /** Continues with the server's content, without the local changes. */
  reset: (paywall: Paywall) => void;
  /** The revision on which the next save is based. */
  revision: number;
  saveState: SaveState;
  /** Saves at once and returns the revision, or null if the document could not be saved. */
  saveNow: () => Promise<number | null>;
  /** Problems of the last saved document. */
  problems: readonly PaywallProblem[];
  /** Opens the field or the texts that a problem is about. */
  showProblem: (problem: PaywallProblem) => void;
  /** Path of the field to focus; null once it has the focus. */
  awaited: Path | null;
  onFocused: () => void;
  /** The selected component's path. */
  selected: Path;
  select: (path: Path) => void;
  /** The language of the preview and of text fields. */
  locale: string;
  setLocale: (locale: string) => void;
  canWrite: boolean;
  /** The part of the design that is shown if there is no room for all. */
  pane: Pane;
  setPane: (pane: Pane) => void;
}

export type Pane = 'layers' | 'preview' | 'properties';

/** Whether a path is that of a text, or of all texts of a language. */
export const isAboutTexts = ([part]: Path): boolean => part === 'components_localizations';

export const PaywallEditorContext = createContext<PaywallEditor | null>(null);

/** The paywall that is being edited. */
export function usePaywallDocument(): PaywallEditor {
  const editor = use(PaywallEditorContext);
  if (!editor) throw new Error('There is no paywall editor around this component.');
  return editor;
}
