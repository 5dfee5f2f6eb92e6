import type { Sampler, SamplingResult } from '@opentelemetry/sdk-trace-node';

/* Values of the SDK's `SamplingDecision`; the SDK is only loaded if traces are exported. */
const NOT_RECORD = 0;
const RECORD_AND_SAMPLED = 2;

/** Samples the first traces of each second: all of them under low traffic, at a bounded cost under load. */
export class RateSampler implements Sampler {
  private secondEndsMs = 0;
  private sampled = 0;

  constructor(
    private readonly perSecond: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  shouldSample(): SamplingResult {
    const nowMs = this.nowMs();
    if (nowMs >= this.secondEndsMs) {
      this.secondEndsMs = nowMs + 1_000;
      this.sampled = 0;
    }
    if (this.sampled >= this.perSecond) return { decision: NOT_RECORD };
    this.sampled++;
    return { decision: RECORD_AND_SAMPLED };
  }

  toString(): string {
    return `RateSampler{${this.perSecond}}`;
  }
}
