/* Functions that run in the page, as text: they use nothing from outside. */

/** Notes what begins to move, before a short motion ends. */
export function noteMotions() {
  window.motions = {};
  const note = () => {
    for (const { animationName, transitionProperty, effect } of document.getAnimations()) {
      const name = animationName ?? transitionProperty;
      window.motions[name] = Math.max(window.motions[name] ?? 0, effect.getComputedTiming().duration);
    }
  };
  for (const type of ['transitionrun', 'animationstart']) addEventListener(type, note, true);
}

/** What has moved since the page was loaded, and for how long (ms). */
export const motionsSoFar = () => window.motions;
