import type { Json } from '../support/api-client.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { databaseContents } from '../support/database-contents.js';
import { playProducts } from '../support/fake-play/fake-play.js';
import type { CancelSurvey, FakePlaySubscription } from '../support/fake-play/fake-play-subscription.js';

const COST: CancelSurvey = { reason: 'CANCEL_SURVEY_REASON_COST_RELATED' };
const OTHERS: CancelSurvey = { reason: 'CANCEL_SURVEY_REASON_OTHERS', reasonUserInput: 'I moved to Oslo' };
const BETTER_APP: CancelSurvey = { reason: 'CANCEL_SURVEY_REASON_FOUND_BETTER_APP' };

describe('the chart of cancel reasons of Google Play', () => {
  let world: PlayWorld;
  let users = 0;

  beforeEach(async () => {
    world = await startPlayWorld();
  });
  afterEach(() => world.close());

  const on = (month: number, day: number, hour = 12): void =>
    world.clock.setMs(Date.UTC(2026, month - 1, day, hour));
  const buy = async (options: { test?: boolean } = {}): Promise<FakePlaySubscription> => {
    const bought = world.play.subscribe(playProducts.monthly, options);
    expect((await world.post(`user-${++users}`, bought.token)).status).toBe(200);
    return bought;
  };
  const buyThree = async (): Promise<FakePlaySubscription[]> => [await buy(), await buy(), await buy()];
  /** Applies a step, and sends its notifications. */
  const happen = async (bought: FakePlaySubscription, step: () => number[]): Promise<void> => {
    world.clock.advanceMs(1_000);
    for (const type of step()) await world.notify(bought.token, type);
  };
  const cancel = (bought: FakePlaySubscription, survey?: CancelSurvey): Promise<void> =>
    happen(bought, () => bought.cancel('user', survey));
  /** Days of November with the values of all measures, without days of zeros. */
  const days = async (query = ''): Promise<[number, number[]][]> => {
    const range = 'start_date=2026-11-01&end_date=2026-11-28';
    const { body } = await world.backend.get(
      `${world.path}/charts/play_store_cancel_reasons?${range}${query}`,
    );
    const byDay = new Map<number, number[]>();
    for (const { cohort, value } of body.values) {
      const day = new Date(cohort * 1000).getUTCDate();
      byDay.set(day, [...(byDay.get(day) ?? []), value]);
    }
    return [...byDay].filter(([, values]) => values.some((value) => value !== 0));
  };

  it('counts two cancellations because of the cost and one without an answer, and two others a day later', async () => {
    on(11, 2);
    const [first, second, third] = (await buyThree()) as [
      FakePlaySubscription,
      FakePlaySubscription,
      FakePlaySubscription,
    ];
    const [fourth, fifth] = [await buy(), await buy()];
    on(11, 3);
    await cancel(first, COST);
    await cancel(second, COST);
    await cancel(third);
    on(11, 4);
    await cancel(fourth, OTHERS);
    await cancel(fifth, BETTER_APP);
    expect(await days()).toEqual([
      [3, [0, 0, 2, 0, 0, 1]],
      [4, [0, 0, 0, 1, 1, 0]],
    ]);
    const total = await world.backend.get(
      `${world.path}/charts/play_store_cancel_reasons?start_date=2026-11-01&end_date=2026-11-30&resolution=month`,
    );
    expect(total.body.values.map((row: Json) => row.value)).toEqual([0, 0, 2, 1, 1, 1]);
    expect(total.body.measures.map((row: Json) => row.display_name)).toEqual([
      'Not enough usage',
      'Technical issues',
      'Cost',
      'Found a better app',
      'Other reasons',
      'Unspecified',
    ]);
  });

  it('counts a cancellation once, however often and in whichever order Google reports it', async () => {
    on(11, 2);
    const bought = await buy();
    on(11, 3);
    await cancel(bought, COST);
    const first = bought.shown;
    await world.notify(bought.token, 3);
    world.clock.advanceMs(1_000);
    await world.notify(bought.token, 3);
    on(11, 4);
    await happen(bought, () => bought.restart());
    expect(await days()).toEqual([[3, [0, 0, 1, 0, 0, 0]]]);
    on(11, 5);
    await cancel(bought, OTHERS);
    const counted = [
      [3, [0, 0, 1, 0, 0, 0]],
      [5, [0, 0, 0, 0, 1, 0]],
    ];
    expect(await days()).toEqual(counted);
    world.google.interfere = ({ path }) =>
      path.startsWith('/purchases/subscriptionsv2/') ? { status: 200, body: first } : undefined;
    world.clock.advanceMs(1_000);
    await world.notify(bought.token, 3);
    expect(await days()).toEqual(counted);
  });

  it('adds an answer that comes after the cancellation, and keeps it', async () => {
    on(11, 2);
    const bought = await buy();
    on(11, 3);
    await cancel(bought);
    expect(await days()).toEqual([[3, [0, 0, 0, 0, 0, 1]]]);
    const shown = bought.shown as object;
    const byCustomer = { cancelTime: '2026-11-03T12:00:01.000Z', cancelSurveyResult: COST };
    world.google.interfere = ({ path }) =>
      path.startsWith('/purchases/subscriptionsv2/')
        ? {
            status: 200,
            body: { ...shown, canceledStateContext: { userInitiatedCancellation: byCustomer } },
          }
        : undefined;
    world.clock.advanceMs(1_000);
    await world.notify(bought.token, 3);
    expect(await days()).toEqual([[3, [0, 0, 1, 0, 0, 0]]]);
    world.google.interfere = () => undefined;
    world.clock.advanceMs(1_000);
    await world.notify(bought.token, 3);
    expect(await days()).toEqual([[3, [0, 0, 1, 0, 0, 0]]]);
  });

  it('counts unknown answers as unspecified', async () => {
    on(11, 2);
    const [first, second] = [await buy(), await buy()];
    on(11, 3);
    await cancel(first, { reason: 'CANCEL_SURVEY_REASON_MOON_PHASE' });
    await cancel(second, { reason: 'CANCEL_SURVEY_REASON_UNSPECIFIED' });
    expect(await days()).toEqual([[3, [0, 0, 0, 0, 0, 2]]]);
  });

  it('ignores cancellations by the developer and keeps the sandbox apart', async () => {
    on(11, 2);
    const [bought, tested] = [await buy(), await buy({ test: true })];
    on(11, 3);
    await happen(bought, () => bought.cancel('developer'));
    await cancel(tested, COST);
    expect(await days()).toEqual([]);
    expect(await days('&environment=sandbox')).toEqual([[3, [0, 0, 1, 0, 0, 0]]]);
  });

  it('never stores the text that a customer wrote', async () => {
    on(11, 2);
    const bought = await buy();
    on(11, 3);
    await cancel(bought, OTHERS);
    expect(await days()).toEqual([[3, [0, 0, 0, 0, 1, 0]]]);
    const rows = [...(await databaseContents(world.server.dataSource)).values()].flatMap((set) => [...set]);
    expect(rows.some((row) => row.includes('"cancelSurvey": "OTHERS"'))).toBe(true);
    expect(rows.filter((row) => row.includes('Oslo') || row.includes('reasonUserInput'))).toEqual([]);
  });

  it('still counts the cancellations of deleted customers', async () => {
    on(11, 2);
    const bought = await buy();
    on(11, 3);
    await cancel(bought, COST);
    const deleted = await world.backend.delete(`${world.path}/customers/user-${users}`);
    expect(deleted.status).toBe(200);
    expect(await days()).toEqual([[3, [0, 0, 1, 0, 0, 0]]]);
  });

  it('cannot be split or filtered', async () => {
    const chart = `${world.path}/charts/play_store_cancel_reasons`;
    expect((await world.backend.get(`${chart}?segment=country`)).status).toBe(400);
    const { body } = await world.backend.get(`${chart}/options`);
    expect([body.filters, body.segments]).toEqual([[], []]);
  });
});
