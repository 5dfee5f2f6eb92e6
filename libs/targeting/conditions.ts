import { bucketOf } from './bucket.js';
import type { Condition } from './model.js';
import type { TargetingRequest } from './request.js';
import { compareVersions, deviceVersion, parseVersion, type Version } from './versions.js';

export type Predicate<Subject = TargetingRequest> = (subject: Subject) => boolean;

/** An unknown value is not in any list and has no version. */
export function inList<Subject>(
  condition: Condition<string>,
  read: (subject: Subject) => string | null,
): Predicate<Subject> {
  const values = new Set((condition.value as (string | number)[]).map(String));
  const isWanted = condition.operator === 'in';
  return (subject) => {
    const value = read(subject);
    return (value !== null && values.has(value)) === isWanted;
  };
}

/** Tests the difference between a value and that of the condition. */
export function differenceTest(operator: string): (difference: number) => boolean {
  switch (operator) {
    case '=':
      return (difference) => difference === 0;
    case '!=':
      return (difference) => difference !== 0;
    case '>':
      return (difference) => difference > 0;
    case '>=':
      return (difference) => difference >= 0;
    case '<':
      return (difference) => difference < 0;
    default:
      return (difference) => difference <= 0;
  }
}

function ofVersion(
  { operator, value }: Condition,
  read: (request: TargetingRequest) => string | null,
): Predicate {
  const wanted = parseVersion(String(value)) as Version;
  const test = differenceTest(operator);
  return (request) => {
    const version = deviceVersion(read(request));
    return version !== null && test(compareVersions(version, wanted));
  };
}

/** `salt` is the id of the rule, which its rollout depends on. */
export function compileCondition(condition: Condition, salt: string): Predicate {
  const { field, context } = condition;
  switch (field) {
    case 'country':
      return inList(condition, ({ country }) => country);
    case 'app_config':
      return inList(condition, ({ appId }) => appId);
    case 'platform':
      return inList(condition, ({ platform }) => platform);
    case 'app_version':
      return ofVersion(condition, ({ appId, appVersion }) => (appId === context ? appVersion : null));
    case 'sdk_version':
      return ofVersion(condition, ({ sdkFlavor, sdkVersion }) => (sdkFlavor === context ? sdkVersion : null));
    case 'custom_attribute':
      return inList(condition, ({ attributes }) => attributes.get(context as string) ?? null);
    case 'rollout': {
      const bound = (condition.value as number) * 100;
      return ({ appUserId }) => bucketOf(salt, 'rollout', appUserId) < bound;
    }
  }
}

/** All conditions must hold. Hashing is the most expensive, so it comes last. */
export function compileAll<Field extends string, Subject>(
  conditions: readonly Condition<Field>[],
  compile: (condition: Condition<Field>) => Predicate<Subject>,
): Predicate<Subject> {
  const cheapestFirst = [...conditions].sort(
    (a, b) => Number(a.field === 'rollout') - Number(b.field === 'rollout'),
  );
  const predicates = cheapestFirst.map(compile);
  return (subject) => predicates.every((holds) => holds(subject));
}

export function compileConditions(conditions: readonly Condition[], salt: string): Predicate {
  return compileAll(conditions, (condition) => compileCondition(condition, salt));
}

/** Names of the attributes used in conditions. */
export function attributesAskedFor(conditions: readonly Condition<string>[]): string[] {
  return conditions.flatMap(({ field, context }) =>
    field === 'custom_attribute' && context !== null ? [context] : [],
  );
}
