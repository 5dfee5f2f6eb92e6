import bundle from 'virtual:stock-renderer';
import type { PreviewContent, PreviewReport } from '../preview-content.js';
import { PREVIEW_OFFERING, stockAnswer } from './stock-answers.js';

/** The parts of the stock SDK that are used here. */
interface Sdk {
  getOfferings(): Promise<{ all: Record<string, unknown> }>;
  presentPaywall(options: object): Promise<unknown>;
  purchase(options: object): Promise<unknown>;
  close(): void;
  /** Not part of its public interface. `onFinished` removes a paywall. */
  getWalletButtonRender?(
    offering: unknown,
    onFinished: (result: unknown) => void,
    ...rest: unknown[]
  ): unknown;
}

declare global {
  var Purchases: { Purchases: { configure(options: object): Sdk } };
}

// The page has an opaque origin; its address has the origin of the editor.
const editorOrigin = new URL(location.href).origin;
const report = (message: PreviewReport): void => window.parent.postMessage(message, editorOrigin);
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

let content: PreviewContent | null = null;
let isRendering = false;
let removePrevious = (): void => undefined;

/** Stays as it is while a paywall is shown, because each change renders anew. */
function answerMediaQueries(): void {
  const matchMedia = window.matchMedia.bind(window);
  window.matchMedia = (query) => {
    const list = matchMedia(query);
    if (!/prefers-color-scheme/.test(query)) return list;
    const matches = /dark/.test(query) === (content?.dark ?? false);
    return Object.defineProperty(list, 'matches', { value: matches });
  };
}

function answerCalls(): void {
  window.fetch = (input) => {
    const url = input instanceof Request ? input.url : String(input);
    return Promise.resolve(Response.json(content ? stockAnswer(url, content) : {}));
  };
}

/** Links of texts would replace this page. */
function keepPage(): void {
  window.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a[href]')) event.preventDefault();
  });
}

function loadBundle(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = bundle;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error('The renderer could not be loaded.'));
    document.head.append(script);
  });
}

/** Offsets of scrolled elements by their place in the tree, which a small change leaves as it is. */
function scrollOffsets(root: Element | null): [number, number][] {
  return [root, ...(root?.querySelectorAll('*') ?? [])].flatMap((element, index) =>
    element && element.scrollTop > 0 ? [[index, element.scrollTop] as [number, number]] : [],
  );
}

function scrollTo(root: Element, offsets: [number, number][]): void {
  const elements = [root, ...root.querySelectorAll('*')];
  for (const [index, top] of offsets) elements[index]?.scrollTo({ top, behavior: 'instant' });
}

function createTarget(): HTMLElement {
  const target = document.createElement('div');
  target.className = 'screen';
  return target;
}

/** Resolves when the paywall is shown. The previous one is visible until then. */
async function render({ locale, dark }: PreviewContent): Promise<void> {
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
  // A new instance, because the SDK remembers the offerings.
  const sdk = globalThis.Purchases.Purchases.configure({
    apiKey: 'rcb_preview',
    appUserId: 'preview',
    flags: { collectAnalyticsEvents: false },
  });
  const walletButton = sdk.getWalletButtonRender?.bind(sdk);
  let finish: ((result: unknown) => void) | undefined;
  sdk.getWalletButtonRender = (offering, onFinished, ...rest) => {
    finish = onFinished;
    return walletButton?.(offering, onFinished, ...rest);
  };
  sdk.purchase = () => new Promise(() => undefined);
  const previous = document.querySelector('.screen');
  const target = createTarget();
  document.body.append(target);
  try {
    const { all } = await sdk.getOfferings();
    await new Promise<void>((resolve, reject) => {
      new MutationObserver((_, observer) => {
        observer.disconnect();
        // A document that cannot be rendered is refused right after this.
        setTimeout(resolve);
      }).observe(target, { childList: true });
      const nothing = (): void => undefined;
      sdk
        .presentPaywall({
          offering: all[PREVIEW_OFFERING],
          htmlTarget: target,
          // The SDK compares it with locales in lower case.
          selectedLocale: locale.toLowerCase(),
          onBack: nothing,
          onNavigateToUrl: nothing,
          onVisitCustomerCenter: nothing,
          onCompleteWorkflowNavigate: nothing,
        })
        .catch((error: unknown) => {
          report({ error: textOf(error) });
          reject(new Error(textOf(error)));
        });
    });
  } catch (error) {
    target.remove();
    throw error;
  } finally {
    sdk.close();
  }
  const offsets = scrollOffsets(previous);
  removePrevious();
  removePrevious = () => {
    finish?.(null);
    target.remove();
  };
  scrollTo(target, offsets);
}

/** Tools in the window of the editor also post to its frames. */
const isContent = (data: unknown): data is PreviewContent =>
  typeof data === 'object' && data !== null && 'document' in data;

/** Renders the newest content until there is no newer one. */
async function renderNewest(): Promise<void> {
  if (isRendering) return;
  isRendering = true;
  try {
    for (let shown: PreviewContent | null = null; content && shown !== content;) {
      shown = content;
      await render(shown).then(
        () => report({ error: null }),
        (error: unknown) => report({ error: textOf(error) }),
      );
    }
  } finally {
    isRendering = false;
  }
}

async function start(): Promise<void> {
  answerMediaQueries();
  answerCalls();
  keepPage();
  await loadBundle();
  window.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || !isContent(data)) return;
    content = data;
    void renderNewest();
  });
  window.addEventListener('error', ({ message }) => report({ error: message }));
  window.addEventListener('unhandledrejection', ({ reason }) => report({ error: textOf(reason) }));
  report({ ready: true });
}

// Opened by itself, the page would be its own editor.
if (window.parent !== window) start().catch((error: unknown) => report({ error: textOf(error) }));
