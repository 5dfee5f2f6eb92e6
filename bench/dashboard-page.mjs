/* Functions that run in a page, as text: they use nothing from outside. */

/** Notes when the page's heading appears. */
export function noteFirstContent() {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('h1')) return;
    window.firstContentAt = performance.now();
    observer.disconnect();
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** First contentful paint, and the requests until the page's heading was there, the page itself included. */
export async function openingFigures() {
  const paint = () => performance.getEntriesByName('first-contentful-paint')[0];
  while (!paint()) await new Promise(requestAnimationFrame);
  const before = performance
    .getEntriesByType('resource')
    .filter(({ startTime }) => startTime < window.firstContentAt);
  return { paintedMs: paint().startTime, requests: before.length + 1 };
}

/** Follows a link of the navigation; resolves with the time until its page was painted (ms). */
export function followLink(name) {
  const link = [...document.querySelectorAll('nav a')].find(({ textContent }) => textContent.trim() === name);
  const isThere = () =>
    location.pathname === new URL(link.href).pathname &&
    document.querySelector('main h1')?.textContent.trim() === name &&
    !document.querySelector('main [aria-busy=true]');
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const look = () => {
      if (!isThere()) return;
      observer.disconnect();
      // A task after the frame: its content was painted.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - startedAt);
        port2.postMessage(null);
      });
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true, attributes: true });
    link.click();
    look();
  });
}

/** Waits for the next event of this type; `paintedAfterInput` then tells how long it took. */
export function noteInput(type) {
  window.painted = new Promise((resolve) => {
    const note = ({ timeStamp }) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - timeStamp);
        port2.postMessage(null);
      });
    addEventListener(type, note, { once: true, capture: true, passive: true });
  });
}

/** Time from the event to the frame that shows what it did (ms). */
export const paintedAfterInput = () => window.painted;
