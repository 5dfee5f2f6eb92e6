import { createRequire } from 'node:module';
import { arch, getPriority, platform } from 'node:os';
import type * as Koffi from 'koffi';

/** Linux's number of sched_setattr(2). */
const SCHED_SETATTR: Partial<Record<string, number>> = { x64: 314, arm64: 274 };
const KEEP_POLICY = 0x08n;

type SystemCall = (call: number, thread: number, attributes: Buffer, flags: number) => number;

/** Null where the package, which is optional, has nothing for the platform. */
function findSystemCall(): SystemCall | null {
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
    return koffi.load(null).func('long syscall(long call, int thread, void *attributes, unsigned int flags)');
  } catch {
    return null;
  }
}

let systemCall: SystemCall | null | undefined;

/** `struct sched_attr`, as in its first version. */
function schedulingAttributes(niceness: number, sliceMs: number): Buffer {
  const attributes = Buffer.alloc(48);
  attributes.writeUInt32LE(attributes.length, 0);
  attributes.writeBigUInt64LE(KEEP_POLICY, 8);
  attributes.writeInt32LE(niceness, 16);
  attributes.writeBigUInt64LE(BigInt(sliceMs) * 1_000_000n, 24);
  return attributes;
}

/**
 * Asks Linux to let a thread run this long at a time (0.1 to 100 ms), less often: who has a shorter slice and wakes up
 * goes first. Does nothing on other systems, before Linux 6.12, and where it is not permitted.
 */
export function setTimeSlice(thread: number, sliceMs: number): void {
  const call = platform() === 'linux' ? SCHED_SETATTR[arch()] : undefined;
  if (call === undefined) return;
  if (systemCall === undefined) systemCall = findSystemCall();
  systemCall?.(call, thread, schedulingAttributes(getPriority(thread), sliceMs), 0);
}
