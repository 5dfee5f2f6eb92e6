import { readFileSync } from 'node:fs';

const EVERY_MS = 10;
/** How far from the moment when it is noticed the time may have been taken (ms): it is counted in steps of 10. */
const NEAR_MS = 30;

/** Processor time that the host of a virtual machine has given to others, in ticks; 0 if it is unknown. */
function stolenTicks() {
  try {
    return Number(/^cpu +(?:\d+ +){7}(\d+)/.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Notes when the host takes processor time from this machine: what happens meanwhile tells about the host. */
export function watchHost() {
  const noticed = [];
  let before = stolenTicks();
  const timer = setInterval(() => {
    const ticks = stolenTicks();
    if (ticks > before) noticed.push(performance.now());
    before = ticks;
  }, EVERY_MS);
  return {
    /** True when time was taken between two moments of `performance.now()`. */
    disturbed: (from, to) => noticed.some((at) => at > from - NEAR_MS && at < to + NEAR_MS),
    stop: () => clearInterval(timer),
  };
}
