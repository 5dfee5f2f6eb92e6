/* Functions that run in the page, as text: they use nothing from outside. */

export function twoFrames() {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** `noteViolation` comes from the test. */
export function reportViolations() {
  document.addEventListener('securitypolicyviolation', (event) => {
    const { violatedDirective, blockedURI, sourceFile, lineNumber, sample } = event;
    window.noteViolation(`${violatedDirective} ${blockedURI} at ${sourceFile}:${lineNumber} ${sample}`);
  });
}

export function layoutProblems() {
  const CONTROLS =
    'a[href], button, input:not([type=hidden]), select, textarea, [role=button], [role=checkbox], [role=switch], ' +
    '[role=tab], [role=menuitem], [role=option], [role=combobox]';
  const nameOf = (element) => {
    const text = element.getAttribute('aria-label') ?? element.textContent;
    return `${element.tagName.toLowerCase()} "${text.trim().slice(0, 40)}"`;
  };
  const clips = (element) => {
    const { overflowX, overflowY } = getComputedStyle(element);
    return {
      x: overflowX !== 'visible',
      y: overflowY !== 'visible',
      scrollsX: overflowX === 'auto' || overflowX === 'scroll',
    };
  };
  const parentsOf = (element) => {
    const parents = [];
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) parents.push(at);
    return parents;
  };
  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.closest('[inert], [aria-hidden=true]') === null &&
    // For screen readers only, or until it has the focus.
    getComputedStyle(element).clipPath === 'none';
  /** The parts that can be seen of a control: text that wraps has a box a line. */
  const boxesOf = (element) => {
    const parents = parentsOf(element);
    return [...element.getClientRects()].flatMap((rect) => {
      const box = { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom };
      for (const parent of parents) {
        const { x, y } = clips(parent);
        const frame = parent.getBoundingClientRect();
        if (x) [box.left, box.right] = [Math.max(box.left, frame.left), Math.min(box.right, frame.right)];
        if (y) [box.top, box.bottom] = [Math.max(box.top, frame.top), Math.min(box.bottom, frame.bottom)];
      }
      // Text for screen readers has one pixel.
      return box.right - box.left > 2 && box.bottom - box.top > 2 ? [box] : [];
    });
  };

  const problems = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth)
    problems.push(`the page is ${scrollWidth} px wide, the window ${clientWidth}`);
  for (const element of document.body.querySelectorAll(':not(:has(*))')) {
    if (!isShown(element) || parentsOf(element).some((parent) => clips(parent).scrollsX)) continue;
    // Wholly to the left: a link that shows itself when it has the focus.
    const isOut = boxesOf(element).some(
      ({ left, right }) => right > clientWidth + 1 || (left < -1 && right > 0),
    );
    if (isOut) problems.push(`not all in the window: ${nameOf(element)}`);
  }
  // Messages, and the strip of jobs at the bottom, lie above the page, which scrolls.
  const floats = (element) => {
    const { position, bottom } = getComputedStyle(element);
    return position === 'fixed' || (position === 'sticky' && bottom === '0px');
  };
  const overlay = [
    ...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'),
  ]
    .filter(isShown)
    .at(-1);
  const controls = [...(overlay ?? document).querySelectorAll(CONTROLS)]
    .filter(isShown)
    .filter((element) => getComputedStyle(element).pointerEvents !== 'none')
    .map((element) => ({
      element,
      boxes: boxesOf(element),
      label: element.closest('label'),
      isFloating: [element, ...parentsOf(element)].some(floats),
      isField: element.matches('input, textarea, [role=combobox]'),
    }));
  const overlap = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2;
  for (const [index, a] of controls.entries()) {
    for (const b of controls.slice(index + 1)) {
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
      if (a.isFloating !== b.isFloating) continue;
      // A native control below the one that is drawn, and a button at the end of its field.
      if ((a.label !== null && a.label === b.label) || a.isField !== b.isField) continue;
      if (a.boxes.some((one) => b.boxes.some((other) => overlap(one, other))))
        problems.push(`lie over each other: ${nameOf(a.element)} and ${nameOf(b.element)}`);
    }
  }
  return problems;
}

/** One of each that a scenario must notice. */
export async function misbehave() {
  const style = document.createElement('style');
  style.textContent = 'h1 { color: red }';
  document.head.append(style);
  try {
    document.body.insertAdjacentHTML('beforeend', '<b>no</b>');
  } catch {
    // The policy refuses it, and the browser reports that.
  }
  setTimeout(() => {
    throw new Error('thrown on purpose');
  });
  console.error('written on purpose');
  await fetch('/v2/nowhere');
}

export function misplaceControls() {
  const add = (name, left) => {
    const button = document.createElement('button');
    button.textContent = name;
    Object.assign(button.style, { position: 'absolute', top: '200px', width: '80px', left });
    document.body.append(button);
  };
  add('one', '0px');
  add('two', '60px');
  add('three', '1250px');
  document.body.append(Object.assign(document.createElement('img'), { src: 'data:,' }));
}

/** Returns the text copied last; the page needs the clipboard permission. */
export const clipboardText = () => navigator.clipboard.readText();

/** Finds the effects of text from outside: it ran, became an element, or hides characters. */
export function hostileProblems() {
  const HIDDEN =
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
  const problems = [];
  const show = (text) => JSON.stringify(text.slice(0, 60)).replace(/[^ -~]/g, '?');
  if ('owned' in window || 'owned' in {}) problems.push('something ran');
  const bad =
    'script:not([src^="/assets/"]), iframe:not([src="/paywall-preview"][sandbox="allow-scripts"]), object, embed, base, meta[http-equiv], link[href*="evil"], form[action], ' +
    'img:not([src^="/"]), [onerror], [onload], [onclick], [onfocus]';
  for (const element of document.querySelectorAll(bad))
    problems.push(`an element: ${show(element.outerHTML)}`);
  for (const link of document.querySelectorAll('a[href]')) {
    if (link.protocol !== 'https:' && link.protocol !== 'http:')
      problems.push(`a link to ${show(link.href)}`);
    if (link.origin !== location.origin && !(link.rel.includes('noopener') && link.target === '_blank'))
      problems.push(`a link without noopener: ${show(link.href)}`);
  }
  if (HIDDEN.test(document.title)) problems.push(`hidden characters in the title ${show(document.title)}`);
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  let count = 0;
  while (nodes.nextNode()) {
    const node = nodes.currentNode;
    count += 1;
    if (node.nodeType === Node.TEXT_NODE) {
      if (HIDDEN.test(node.data) && node.parentElement.closest('textarea') === null)
        problems.push(`hidden characters in ${show(node.data)}`);
      if (node.data.length > 100_100) problems.push(`${node.data.length} characters in one text`);
      continue;
    }
    for (const { name, value } of node.attributes)
      if (
        /^(aria-label|aria-description|title|alt|placeholder|data-tip|data-label)$/.test(name) &&
        HIDDEN.test(value)
      )
        problems.push(`hidden characters in ${name} ${show(value)}`);
  }
  if (count > 20_000) problems.push(`${count} nodes`);
  return problems;
}

/** What the query cache holds, answers and inputs of calls, as JSON. */
export function cachedByPage() {
  const app = document.getElementById('app');
  const root = app[Object.keys(app).find((key) => key.startsWith('__reactContainer$'))];
  let fiber = root.stateNode.current;
  while (!fiber.memoizedProps?.client?.getQueryCache) fiber = fiber.child;
  const { client } = fiber.memoizedProps;
  const queries = client.getQueryCache().getAll();
  const mutations = client.getMutationCache().getAll();
  if (queries.length === 0) throw new Error('The cache of a page is never empty');
  return JSON.stringify(
    [...queries, ...mutations].map(({ queryKey, state: { data, variables, error } }) => ({
      queryKey,
      data,
      variables,
      error: error?.message,
    })),
  );
}

/** Names of the controls that are off for want of a permission. */
export function controlsWithoutPermission() {
  return [...document.querySelectorAll('main [aria-disabled=true], main :disabled')]
    .filter((control) => {
      const ids = (control.getAttribute('aria-describedby') ?? '').split(' ');
      const reason = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
      return /permission|Only admins/.test(`${reason} ${control.dataset.tip ?? ''}`);
    })
    .map((control) => (control.getAttribute('aria-label') ?? control.textContent).trim());
}

/** A slow server: skeletons are drawn after 150 ms. */
export function skeletonsDrawn() {
  return new Promise((resolve) => setTimeout(resolve, 200));
}

export function noteLayoutShifts() {
  window.layoutShifts = [];
  new PerformanceObserver((list) => window.layoutShifts.push(...list.getEntries())).observe({
    type: 'layout-shift',
    buffered: true,
  });
}

/** The sum of the scores since the page was loaded, and what moved. */
export function layoutShift() {
  const shifts = window.layoutShifts.filter(({ hadRecentInput }) => !hadRecentInput);
  const describe = ({ node, previousRect, currentRect }) =>
    `${node?.nodeName} "${node?.textContent?.slice(0, 30)}" ${previousRect.y} -> ${currentRect.y}`;
  return {
    score: shifts.reduce((sum, { value }) => sum + value, 0),
    moved: shifts.flatMap(({ sources }) => sources.map(describe)),
  };
}

/** Hides the page, as switching to another tab does. */
export function hideTab() {
  Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
  Object.defineProperty(document, 'hidden', { value: true });
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

/** Every text, once, 40% longer; and the direction of the page. */
export function asTranslated(direction) {
  document.documentElement.dir = direction;
  if (document.body.dataset.translated) return;
  document.body.dataset.translated = 'true';
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    // Data is not translated.
    if (/\p{L}{2}/u.test(data) && !parentElement.closest('bdi, code, pre, time, option'))
      texts.currentNode.data = `${data} ${data.trim().slice(0, Math.ceil(data.trim().length * 0.4))}`;
  }
}

/** Loaded typefaces, and the widths of figures in a cell of the page's first table. */
export async function typefaceOfCell() {
  await document.fonts.ready;
  const widthOf = (text) => {
    const probe = document.querySelector('td').appendChild(document.createElement('span'));
    probe.textContent = text;
    const { width } = probe.getBoundingClientRect();
    probe.remove();
    return width;
  };
  const loaded = [...document.fonts].filter(({ status }) => status === 'loaded');
  return { families: loaded.map(({ family }) => family), ones: widthOf('1111'), zeros: widthOf('0000') };
}
