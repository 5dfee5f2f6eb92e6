/* Functions that run in a page, as text: they use nothing from outside. */

/** From now on, notes tasks that keep the page for more than 50 ms. */
export function noteLongTasks() {
  window.longTasks = [];
  window.longTaskObserver = new PerformanceObserver((list) => window.longTasks.push(...list.getEntries()));
  window.longTaskObserver.observe({ type: 'longtask' });
}

/** The longest task (ms); 0 where none kept the page for more than 50 ms. */
export function longestTask() {
  const tasks = [...window.longTasks, ...window.longTaskObserver.takeRecords()];
  return Math.max(0, ...tasks.map(({ duration }) => duration));
}

/** First contentful paint, and the files and calls that were requested before it, the page itself included. */
export async function openingFigures() {
  const paint = () => performance.getEntriesByName('first-contentful-paint')[0];
  while (!paint()) await new Promise(requestAnimationFrame);
  const paintedMs = paint().startTime;
  const before = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < paintedMs);
  const calls = before.filter(({ initiatorType }) => initiatorType === 'fetch').length;
  return { paintedMs, files: before.length - calls + 1, calls };
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
