import { SamplingDecision } from '@opentelemetry/sdk-trace-node';
import { RateSampler } from './rate-sampler.js';

describe('the sampler by rate', () => {
  it('samples so many traces of each second', () => {
    let nowMs = 0;
    const sampler = new RateSampler(3, () => nowMs);
    const sampled = (times: number): number =>
      Array.from({ length: times }, () => sampler.shouldSample().decision).filter(
        (decision) => decision === SamplingDecision.RECORD_AND_SAMPLED,
      ).length;
    expect(sampled(10)).toBe(3);
    expect(sampler.shouldSample().decision).toBe(SamplingDecision.NOT_RECORD);
    nowMs += 999;
    expect(sampled(10)).toBe(0);
    nowMs += 1;
    expect(sampled(2)).toBe(2);
    nowMs += 60_000;
    expect(sampled(10)).toBe(3);
  });
});
