import { asCallError, type CallError } from '../../../../api/call-error.js';
import type { Schema } from '../../../../api/types.js';
import { contentOf, type Paywall, type PaywallDocument } from '../../paywall.types.js';
import type { SaveState } from '../paywall-editor-context.js';

type Update = Schema<'UpdatePaywallDto'>;
type Attempt = { document: PaywallDocument; body: Update };

const SAVE_AFTER_MS = 800;

/** Whether the server may have executed the call. */
const isUnsettled = ({ status, retryable }: CallError) => status === 0 || status >= 500 || retryable;

/** Returns the fields that differ. Unchanged fields are the same objects. */
function changesOf(saved: PaywallDocument, document: PaywallDocument): Omit<Update, 'revision'> {
  const names = Object.keys({ ...saved, ...document }) as (keyof PaywallDocument)[];
  return Object.fromEntries(
    names.filter((name) => saved[name] !== document[name]).map((name) => [name, document[name] ?? null]),
  );
}

interface SaverOptions {
  send: (body: Update) => Promise<Paywall>;
  document: PaywallDocument;
  revision: number;
  onState: (state: SaveState) => void;
}

/**
 * Saves the document after each pause. After a lost answer it repeats that request, not a newer one, because the server
 * may have executed it, and a newer request would then have an outdated revision.
 */
export class DocumentSaver {
  private saved: PaywallDocument;
  private document: PaywallDocument;
  private unsettled: Attempt | null = null;
  private running: Promise<number | null> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isConflict = false;
  revision: number;

  constructor(private readonly options: SaverOptions) {
    this.document = this.saved = options.document;
    this.revision = options.revision;
  }

  /** Takes the newest document, and saves it after a pause. */
  update(document: PaywallDocument): void {
    if (document === this.document) return;
    this.document = document;
    clearTimeout(this.timer);
    if (this.isConflict) return;
    if (!this.running) this.options.onState({ status: this.isSaved() ? 'saved' : 'unsaved' });
    this.timer = setTimeout(() => void this.saveNow(), SAVE_AFTER_MS);
  }

  /** Continues with a document that the server has. */
  reset(document: PaywallDocument, revision: number): void {
    clearTimeout(this.timer);
    this.document = this.saved = document;
    this.revision = revision;
    this.unsettled = null;
    this.isConflict = false;
    this.options.onState({ status: 'saved' });
  }

  /** Saves without a pause. Returns the revision, or null if the document could not be saved. */
  async saveNow(): Promise<number | null> {
    clearTimeout(this.timer);
    const isDone = this.running === null || (await this.running) !== null;
    if (!isDone || this.isConflict) return null;
    if (this.isSaved()) return this.revision;
    this.running ??= this.save().finally(() => (this.running = null));
    return this.running;
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private isSaved(): boolean {
    return this.document === this.saved && this.unsettled === null;
  }

  /** Sends the document of this time, after a request that got no answer. */
  private async save(): Promise<number | null> {
    const { options } = this;
    let isRepeated: boolean;
    do {
      isRepeated = this.unsettled !== null;
      const { document, saved, revision } = this;
      const attempt = (this.unsettled ??= { document, body: { ...changesOf(saved, document), revision } });
      options.onState({ status: 'saving' });
      try {
        const paywall = await options.send(attempt.body);
        this.unsettled = null;
        this.saved = attempt.document;
        this.revision = contentOf(paywall)?.revision ?? revision;
      } catch (thrown) {
        this.fail(asCallError(thrown));
        return null;
      }
    } while (isRepeated && !this.isSaved());
    options.onState({ status: this.isSaved() ? 'saved' : 'unsaved' });
    return this.revision;
  }

  private fail(error: CallError): void {
    if (!isUnsettled(error)) this.unsettled = null;
    this.isConflict = error.status === 409;
    this.options.onState(
      this.isConflict ? { status: 'conflict' } : { status: 'failed', reason: error.message },
    );
  }
}
