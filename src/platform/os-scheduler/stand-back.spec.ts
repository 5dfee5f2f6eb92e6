import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { hasTimeSlices, timeSliceMs } from '../../../test/support/time-slice.js';
import { STANDING_BACK_SLICE_MS, standBack } from './stand-back.js';

describe('standing back', () => {
  const usual = getPriority();
  let child: ChildProcess;
  let pid: number;

  beforeEach(async () => {
    child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(child, 'spawn');
    pid = child.pid as number;
  });

  const end = async (): Promise<void> => {
    if (!child.kill()) return;
    await once(child, 'exit');
  };
  afterEach(end);

  it('takes niceness and, where the system has such a thing, a longer time slice than usual', () => {
    if (hasTimeSlices) expect(timeSliceMs(pid)).toBeLessThan(STANDING_BACK_SLICE_MS);
    standBack(pid, usual + 3);
    expect(getPriority(pid)).toBe(usual + 3);
    if (hasTimeSlices) expect(timeSliceMs(pid)).toBe(STANDING_BACK_SLICE_MS);
  });

  it('leaves more niceness than it would give', () => {
    standBack(pid, usual + 3);
    standBack(pid, usual + 1);
    expect(getPriority(pid)).toBe(usual + 3);
  });

  it('says that there is nobody any more', async () => {
    await end();
    expect(() => standBack(pid, usual + 3)).toThrow(/ESRCH/);
  });
});
