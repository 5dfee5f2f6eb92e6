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
      // What only screen readers see has one pixel.
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
      // Messages come and go above the page.
      isFloating: [element, ...parentsOf(element)].some((at) => getComputedStyle(at).position === 'fixed'),
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
    // The policy refuses it, and says so by itself.
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

/** What was copied last; the page needs the permission for it. */
export const clipboardText = () => navigator.clipboard.readText();
