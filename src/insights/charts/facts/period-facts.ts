import { utcDay } from '../../../../libs/kernel/index.js';
import { type Amounts, type ChartFact, addTo, isEmpty, type Move, moves } from './chart-facts.js';
import { type ChartPeriod, shareOf } from './periods.js';
import type { PeriodDims } from './period-dims.js';
import { isRefunded, refundTransitions } from './refunds.js';
import { type Run, runAfter } from './runs.js';
import type { ChartLedgerRow } from './source.model.js';

export interface FactContext {
  customerDimsId: string;
  dims: ReadonlyMap<ChartPeriod, PeriodDims>;
  runs: Run[];
}

/** A fact of a period, without its dimensions. */
interface Part {
  key: string;
  atMs: number;
  amounts: Amounts;
  move?: Move | undefined;
  peer?: ChartPeriod | null | undefined;
}

const paidOf = (period: ChartPeriod | undefined): ChartPeriod | null =>
  period?.access === 'paid' ? period : null;

/** Returns the paid period before this one: by renewal, or by a product change with immediate payment. */
function paidBefore(run: Run, index: number): ChartPeriod | null {
  if (index > 0) return paidOf(run.periods[index - 1]);
  return run.type === 'product_change' ? paidOf(run.before?.periods.at(-1)) : null;
}

function paidAfter(run: Run, index: number, runs: Run[]): ChartPeriod | null {
  const next = run.periods[index + 1];
  if (next) return paidOf(next);
  const after = runAfter(run, runs);
  return after?.type === 'product_change' ? paidOf(after.periods[0]) : null;
}

type Change = 3 | 5 | 6;

/** Moves of the earlier period, by the change that ended it. */
const endings: Record<Change, Move> = {
  [moves.expansion]: moves.expansionFrom,
  [moves.contraction]: moves.contractionFrom,
  [moves.exchangeRate]: moves.exchangeRateFrom,
};

/** Compares a paid period with the next one that is joined to it. */
function changeBetween(earlier: ChartPeriod, later: ChartPeriod): Change {
  const isSamePrice =
    earlier.storeProductId === later.storeProductId &&
    earlier.opening.currency === later.opening.currency &&
    earlier.priceMicros === later.priceMicros &&
    earlier.lengthUnits === later.lengthUnits;
  if (isSamePrice) return moves.exchangeRate;
  return later.monthlyMicros < earlier.monthlyMicros ? moves.contraction : moves.expansion;
}

function stockOf(period: ChartPeriod, sign: 1 | -1): Amounts {
  if (period.access === 'trial') return { trials: sign };
  const { taxBps } = period.opening;
  const { monthlyMicros, monthlyFraction, commissionBps } = period;
  return {
    actives: sign,
    monthly: sign * monthlyMicros,
    monthly_fraction: sign * monthlyFraction,
    monthly_tax: sign * shareOf(monthlyMicros, taxBps),
    monthly_commission: sign * shareOf(monthlyMicros, commissionBps),
  };
}

/** The access between the end that a replacement moved and the period's own end. */
function overlapOf(period: ChartPeriod, sign: 1 | -1): Amounts {
  if (period.access === 'trial') return { overlap_trials: sign };
  const { monthlyMicros, monthlyFraction } = period;
  return {
    overlap_actives: sign,
    overlap_monthly: sign * monthlyMicros,
    monthly_fraction: sign * monthlyFraction,
  };
}

function paidStart(run: Run, index: number): Amounts {
  const period = run.periods[index];
  const isTrialConversion = run.periods[index - 1]?.access === 'trial';
  const isIntro = !isTrialConversion && period?.opening.periodType === 'intro';
  return {
    ...(run.type === 'resubscription' ? { resubscribed: 1 } : { new_actives: 1 }),
    ...(isTrialConversion ? { from_trial: 1 } : {}),
    ...(isIntro ? { from_intro: 1 } : {}),
  };
}

/** A trial is converted by a joined payment that was not refunded. */
function isConverted(run: Run, index: number, runs: Run[]): boolean {
  const next = run.periods[index + 1] ?? runAfter(run, runs)?.periods[0];
  return next !== undefined && next.access === 'paid' && next.isPaidTransaction && !isRefunded(next);
}

function begins(run: Run, index: number, runs: Run[]): Pick<Part, 'amounts' | 'move' | 'peer'> {
  const period = run.periods[index];
  if (!period) return { amounts: {} };
  if (period.access === 'trial') {
    const converted: Amounts = isConverted(run, index, runs) ? { trials_converted: 1 } : {};
    return { amounts: { ...stockOf(period, 1), trials_new: 1, ...converted } };
  }
  const isFirst = !run.periods.slice(0, index).some(({ access }) => access === 'paid');
  const earlier = paidBefore(run, index);
  const fresh = run.type === 'resubscription' ? moves.resubscription : moves.new;
  return {
    amounts: { ...stockOf(period, 1), ...(isFirst ? paidStart(run, index) : {}) },
    move: earlier ? changeBetween(earlier, period) : fresh,
    peer: earlier,
  };
}

function ends(run: Run, index: number, runs: Run[]): Pick<Part, 'amounts' | 'move' | 'peer'> {
  const period = run.periods[index];
  if (!period) return { amounts: {} };
  if (period.access === 'trial') return { amounts: stockOf(period, -1) };
  const later = paidAfter(run, index, runs);
  const isLast = index === run.periods.length - 1;
  return {
    amounts: { ...stockOf(period, -1), ...(isLast ? { churned: 1 } : {}) },
    move: later ? endings[changeBetween(period, later)] : moves.churn,
    peer: later,
  };
}

function moneyOf(row: ChartLedgerRow): Amounts {
  const micros = row.usdMicros ?? 0;
  return {
    revenue: micros,
    tax: shareOf(micros, row.taxBps),
    commission: shareOf(micros, row.commissionBps),
  };
}

function moneyParts(period: ChartPeriod): Part[] {
  const transitions = refundTransitions(period);
  return period.rows.map((row): Part => {
    const isOpening = row === period.opening;
    const amounts = moneyOf(row);
    if (isOpening && period.isPaidTransaction) {
      amounts.transactions = 1;
      if (row.isOneTime) amounts.non_subscription = 1;
      if (isRefunded(period)) amounts.refunded_later = 1;
    }
    if (row.kind === 'refund' || row.kind === 'refund_reversal') {
      amounts.refunded = -(row.usdMicros ?? 0);
      const transition = transitions.get(row);
      if (transition !== undefined) amounts.refunds = transition;
    }
    return { key: isOpening ? 'o' : `${row.kind}${row.kindSeq}`, atMs: row.purchasedAtMs, amounts };
  });
}

/** Adds the overlap to `end`. Returns its own end, unless access never ends. */
function overlapParts(period: ChartPeriod, end: Part): Part[] {
  const { ownEndsAtMs } = period;
  if (ownEndsAtMs === undefined || ownEndsAtMs === end.atMs) return [];
  addTo(end.amounts, overlapOf(period, 1));
  return ownEndsAtMs === null ? [] : [{ key: 'x', atMs: ownEndsAtMs, amounts: overlapOf(period, -1) }];
}

function partsOf(period: ChartPeriod, run: Run | null, runs: Run[]): Part[] {
  const money = moneyParts(period);
  if (!run) return money;
  const index = run.periods.indexOf(period);
  const begun = begins(run, index, runs);
  const opening = money.find(({ key }) => key === 'o');
  // Access starts with its payment, unless it was paid earlier.
  if (opening?.atMs !== period.startsAtMs) money.push({ key: 'b', atMs: period.startsAtMs, ...begun });
  else {
    addTo(opening.amounts, begun.amounts);
    opening.move = begun.move;
    opening.peer = begun.peer;
  }
  if (period.endsAtMs !== null) {
    const end: Part = { key: 'e', atMs: period.endsAtMs, ...ends(run, index, runs) };
    money.push(end, ...overlapParts(period, end));
  }
  return money;
}

/** Returns all changes of the figures by a period, each at its time. */
export function factsOf(period: ChartPeriod, run: Run | null, context: FactContext): ChartFact[] {
  const { dims, customerDimsId, runs } = context;
  const dimsId = dims.get(period)?.purchase.id ?? '';
  const rateDay = utcDay(period.opening.purchasedAtMs);
  const facts: ChartFact[] = [];
  for (const { key, atMs, amounts, move = moves.none, peer = null } of partsOf(period, run, runs)) {
    // Other payments of the period are found by its opening one.
    if (isEmpty(amounts) && !(key === 'o' && period.rows.length > 1)) continue;
    const peerId = peer ? (dims.get(peer)?.purchase.id ?? null) : null;
    facts.push({
      purchaseId: period.purchaseId,
      factKey: `${period.periodKey}|${key}`,
      environment: period.opening.environment,
      atMs,
      rateDay,
      dimsId,
      customerDimsId,
      peerDimsId: peerId === dimsId ? null : peerId,
      run: run?.index ?? null,
      move,
      amounts,
    });
  }
  return facts;
}
