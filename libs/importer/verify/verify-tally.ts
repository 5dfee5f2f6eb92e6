import type { Checked } from './customer-checker.js';
import {
  type CustomerState,
  type Difference,
  type DifferenceType,
  differenceTypes,
  type SidePair,
} from './verify.model.js';

/** More would not fit in memory and is not useful to read. */
const MOST_DIFFERENCES = 100_000;
const MOST_IDS = 100;

const pair = (): SidePair => ({ source: 0, target: 0 });

/** Totals and differences of a run in bounded memory. */
export class VerifyTally {
  readonly customers = { ...pair(), checked: 0 };
  readonly entitlements = pair();
  readonly accessSubscriptions = { production: pair(), sandbox: pair() };
  readonly onlyInTarget: string[] = [];
  private listed: Difference[] = [];
  private counts = new Map<DifferenceType, number>();

  addChecked(id: string, { source, target }: Checked): void {
    this.customers.checked += 1;
    this.addSide('source', id, source);
    this.addSide('target', id, target);
  }

  addDifferences(differences: Difference[]): void {
    for (const difference of differences) {
      const { type, id } = difference;
      this.counts.set(type, (this.counts.get(type) ?? 0) + 1);
      if (type !== 'only_in_target') {
        if (this.listed.length < MOST_DIFFERENCES) this.listed.push(difference);
      } else if (this.onlyInTarget.length < MOST_IDS) {
        this.onlyInTarget.push(id);
      }
    }
  }

  /** Removes the differences of customers who are compared again. */
  takeOut(ids: ReadonlySet<string>): void {
    const kept = this.listed.filter(({ id }) => !ids.has(id));
    for (const { id, type } of this.listed) {
      if (ids.has(id)) this.counts.set(type, (this.counts.get(type) ?? 0) - 1);
    }
    this.listed = kept;
  }

  get differences(): readonly Difference[] {
    return this.listed;
  }

  get total(): number {
    return differenceTypes.reduce((sum, type) => sum + (type === 'only_in_target' ? 0 : this.count(type)), 0);
  }

  count(type: DifferenceType): number {
    return this.counts.get(type) ?? 0;
  }

  /** Counts a customer only under its own id, however many aliases are compared. */
  private addSide(side: keyof SidePair, id: string, state: CustomerState | null): void {
    if (state?.id !== id) return;
    this.customers[side] += 1;
    this.entitlements[side] += state.entitlements.size;
    for (const { environment } of state.accessSubscriptions) this.accessSubscriptions[environment][side] += 1;
  }
}
