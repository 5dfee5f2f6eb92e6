import fc from 'fast-check';
import { compileTargeting, type CustomerFacts, decide, isOutOfAll, type Targeting } from './decide.js';
import {
  experiment,
  facts,
  request,
  rule,
  sourceOf,
  targetingOf,
} from '../../test/support/targeting-terms.js';
import type { Condition, ExperimentTerms } from './model.js';
import { noAttributes, type TargetingRequest } from './request.js';

describe('decisions for any customers', () => {
  const id = fc.string({ minLength: 1, maxLength: 20 });
  const percent = fc.integer({ min: 1, max: 100 });
  const time = fc.integer({ min: 0, max: 6_000 });
  const country = fc.constantFrom('US', 'DE', 'FR', 'JP', 'BR', 'IN', 'CA', 'AT');
  const version = fc.constantFrom('1.0', '1.2.0-beta', '1.10', '2', 'abc');
  const ofList = fc.constantFrom('in' as const, 'not in' as const);
  const ofVersion = fc.constantFrom('=' as const, '!=' as const, '>' as const, '<=' as const);
  const condition: fc.Arbitrary<Condition> = fc.oneof(
    fc.record({
      field: fc.constant('country' as const),
      operator: ofList,
      value: fc.array(country, { minLength: 1, maxLength: 3 }),
      context: fc.constant(null),
    }),
    fc.record({
      field: fc.constant('app_version' as const),
      operator: ofVersion,
      value: fc.constantFrom('1.0', '1.2', '2.0'),
      context: fc.constantFrom('app1', 'app2'),
    }),
    fc.record({
      field: fc.constant('custom_attribute' as const),
      operator: ofList,
      value: fc.constant<string[]>(['gold']),
      context: fc.constant('plan'),
    }),
    fc.record({
      field: fc.constant('rollout' as const),
      operator: fc.constant('<' as const),
      value: fc.integer({ min: 1, max: 99 }),
      context: fc.constant(null),
    }),
  );
  const conditions = fc.array(condition, { maxLength: 3 });
  const anyRequest: fc.Arbitrary<TargetingRequest> = fc.record({
    appUserId: id,
    appId: fc.constantFrom('app1', 'app2'),
    country: fc.option(country),
    platform: fc.constantFrom('ios', 'android', null),
    appVersion: fc.option(version),
    sdkFlavor: fc.constant('ios'),
    sdkVersion: fc.option(version),
    attributes: fc.constantFrom(noAttributes, new Map([['plan', 'gold']])),
  });
  const anyFacts: fc.Arbitrary<CustomerFacts> = fc.record({
    originalAppUserId: id,
    firstSeenAtMs: fc.option(time),
    overrideOfferingId: fc.option(fc.constant('mine'), { freq: 8 }).map((some) => some ?? null),
    isBlocked: fc.boolean(),
    enrollments: fc.array(
      fc.record({ experimentId: fc.constantFrom('e0', 'e1'), variant: fc.constantFrom('a', 'b') }),
      { maxLength: 1 },
    ),
    left: fc.subarray(['e0', 'e1']),
  });
  const anyRule = fc
    .record({ name: id, conditions, startsAtMs: time, isScheduled: fc.boolean() })
    .map(({ name, startsAtMs, isScheduled, ...terms }) =>
      rule(name, {
        ...terms,
        ...(isScheduled && { state: 'scheduled', schedule: { startsAtMs, endsAtMs: startsAtMs + 1_000 } }),
      }),
    );
  const anyExperiment = fc
    .record({
      name: fc.constantFrom('e0', 'e1', 'e2'),
      status: fc.constantFrom('running', 'paused', 'stopped', 'draft'),
      conditions,
      enrollmentPercentage: percent,
      enrollmentMode: fc.constantFrom('only_new', 'new_and_existing'),
      weights: fc.option(fc.integer({ min: 1, max: 99 }).map((first) => [first, 100 - first])),
      startedAtMs: time,
    })
    .map(({ name, ...terms }) => experiment(name, terms as Partial<ExperimentTerms>));

  it('admits everyone of a smaller percentage with a larger one', () => {
    fc.assert(
      fc.property(id, percent, percent, (key, a, b) => {
        const joins = (enrollmentPercentage: number): boolean =>
          sourceOf(
            { experiments: [experiment('e1', { enrollmentPercentage })] },
            { originalAppUserId: key },
          ) !== 'default';
        expect(joins(Math.max(a, b)) || !joins(Math.min(a, b))).toBe(true);
      }),
    );
  });

  it('keeps a variant after any change of weights and percentage', () => {
    fc.assert(
      fc.property(id, fc.integer({ min: 1, max: 99 }), percent, (key, weight, enrollmentPercentage) => {
        const first = decide(targetingOf({ experiments: [experiment('e1')] }), {
          request,
          facts: { ...facts, originalAppUserId: key },
          nowMs: 0,
          mayJoin: true,
        });
        if (first.source !== 'joins') throw new Error('everyone joins');
        const enrollments = [{ experimentId: 'e1', variant: first.variant }];
        const later = decide(
          targetingOf({
            experiments: [experiment('e1', { weights: [weight, 100 - weight], enrollmentPercentage })],
          }),
          { request, facts: { ...facts, originalAppUserId: key, enrollments }, nowMs: 0, mayJoin: true },
        );
        expect(later).toMatchObject({ source: 'enrolled', variant: first.variant });
      }),
    );
  });

  it('enrolls no one from the holdout, whatever the request says', () => {
    fc.assert(
      fc.property(
        id,
        percent,
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 0, max: 4_000 }),
        (key, share, holdout, firstSeenAtMs) => {
          const targeting = targetingOf({
            holdoutPercentage: holdout,
            experiments: [
              experiment('e1', { enrollmentPercentage: share }),
              experiment('e2', { enrollmentMode: 'new_and_existing', enrollmentPercentage: 20 }),
            ],
          });
          const known = { ...facts, originalAppUserId: key, firstSeenAtMs };
          const { source } = decide(targeting, { request, facts: known, nowMs: 0, mayJoin: true });
          expect(source === 'default').toBe(isOutOfAll(targeting, known));
        },
      ),
    );
  });

  it('allows swapping rules of which no request meets two', () => {
    const world = fc.uniqueArray(country, { minLength: 2, maxLength: 8 }).chain((countries) =>
      fc.record({
        countries: fc.constant(countries),
        order: fc.shuffledSubarray(countries, { minLength: countries.length }),
        conditions: fc.array(condition, { maxLength: 2 }),
        asking: fc.record({ request: anyRequest, nowMs: time }),
      }),
    );
    fc.assert(
      fc.property(world, ({ countries, order, conditions, asking }) => {
        const ruleOf = (where: string) =>
          rule(where, {
            conditions: [{ field: 'country', operator: 'in', value: [where], context: null }, ...conditions],
          });
        const answer = (list: string[]) =>
          decide(targetingOf({ rules: list.map(ruleOf) }), { ...asking, facts: null, mayJoin: true });
        expect(answer(order)).toEqual(answer(countries));
      }),
    );
  });

  it('decides alike on two replicas from rules, experiments, clock, request and stored facts', () => {
    const world = fc.record({
      holdoutPercentage: fc.integer({ min: 0, max: 50 }),
      rules: fc.array(anyRule, { maxLength: 4 }),
      experiments: fc.array(anyExperiment, { maxLength: 3 }),
    });
    const question = fc.record({
      request: anyRequest,
      facts: fc.option(anyFacts),
      nowMs: time,
      mayJoin: fc.boolean(),
      isBlind: fc.boolean(),
    });
    fc.assert(
      fc.property(world, question, fc.array(question, { maxLength: 5 }), (terms, asked, others) => {
        const replicas = [terms, structuredClone(terms)].map((own) => compileTargeting('proj1', own));
        const [first, second] = replicas as [Targeting, Targeting];
        // Earlier questions do not affect the decision.
        for (const other of others) decide(second, other);
        expect(decide(second, structuredClone(asked))).toEqual(decide(first, asked));
        expect(decide(first, asked)).toEqual(decide(second, asked));
      }),
    );
  });

  it('keeps a customer in a live experiment in its variant, whatever else changes', () => {
    fc.assert(
      fc.property(
        fc.array(anyRule, { maxLength: 3 }),
        fc.array(anyExperiment, { minLength: 1, maxLength: 3 }),
        anyRequest,
        anyFacts,
        (rules, experiments, asked, known) => {
          const terms = experiments.map((one, index) => ({ ...one, id: `e${index}` }));
          const mine = { ...terms[0], status: known.isBlocked ? 'running' : 'paused' } as ExperimentTerms;
          const enrollments = [{ experimentId: mine.id, variant: 'b' as const }];
          const decision = decide(
            compileTargeting('proj1', {
              holdoutPercentage: 50,
              rules,
              experiments: [...terms.slice(1), mine],
            }),
            {
              request: asked,
              facts: { ...known, overrideOfferingId: null, enrollments },
              nowMs: 0,
              mayJoin: true,
            },
          );
          expect(decision).toEqual({ source: 'enrolled', experiment: mine, variant: 'b' });
        },
      ),
    );
  });

  it('shares the customers of one audience between two, 50, 25 and 25', () => {
    const counts = { e1: 0, e2: 0, default: 0 };
    const experiments = [
      experiment('e1', { enrollmentPercentage: 50 }),
      experiment('e2', { enrollmentPercentage: 50 }),
    ];
    for (let index = 0; index < 4_000; index++) {
      const source = sourceOf({ experiments }, { originalAppUserId: `user_${index}` });
      counts[source.replace('joins ', '') as keyof typeof counts] += 1;
    }
    expect(counts.e1 / 4_000).toBeCloseTo(0.5, 1);
    expect(counts.e2 / 4_000).toBeCloseTo(0.25, 1);
    expect(counts.default / 4_000).toBeCloseTo(0.25, 1);
  });
});
