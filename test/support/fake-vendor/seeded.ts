/** Random numbers that are the same in each run (mulberry32). */
export class Seeded {
  constructor(private state: number) {}

  /** 0 up to 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(max: number): number {
    return Math.floor(this.next() * max);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.below(10)).join('');
  }

  hex(count: number): string {
    return Array.from({ length: count }, () => this.below(16).toString(16)).join('');
  }
}
