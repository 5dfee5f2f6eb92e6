/** @throws Error naming what does not hold */
export function check(condition, what) {
  if (!condition) throw new Error(`deployment check: ${what}`);
  process.stdout.write(`ok: ${what}\n`);
}
