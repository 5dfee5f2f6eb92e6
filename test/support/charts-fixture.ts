import type { ChartsStores } from './charts-stores.js';
import { ChartsReports, type ChartsWorld } from './charts-world.js';
import type { FakeNotification, FakeSubscription } from './fake-app-store/fake-subscription.js';
import type { FakePlaySubscription } from './fake-play/fake-play-subscription.js';

/** 10:00 UTC of a day, of 2026 if the year is not said. */
export const moment = (day: string): number =>
  Date.parse(`${day.length === 5 ? `2026-${day}` : day}T10:00:00Z`);

interface Entry {
  day: string;
  does: () => Promise<void>;
}

const countries = { US: 'USA', DE: 'DEU', GB: 'GBR' } as const;
type Country = keyof typeof countries;

/** The customers of the specification's examples and what became of them, day by day. */
export class ChartsFixture {
  private readonly entries: Entry[] = [];
  private readonly reports: ChartsReports;
  private readonly customers = new Map<string, Country>();

  constructor(
    private readonly stores: ChartsStores,
    private readonly world: ChartsWorld,
  ) {
    this.reports = new ChartsReports(stores, world);
    this.appStore();
    this.play();
  }

  /** Lives through all days until a time, in order, each only once. */
  async liveUntil(untilMs: number): Promise<void> {
    const due = this.entries.filter(({ day }) => moment(day) <= untilMs);
    // Equal days keep their order.
    due.sort((a, b) => moment(a.day) - moment(b.day));
    for (const { day, does } of due) {
      this.stores.server.clock.setMs(moment(day));
      await does();
    }
    const rest = this.entries.filter((entry) => !due.includes(entry));
    this.entries.splice(0, this.entries.length, ...rest);
    this.stores.server.clock.setMs(untilMs);
  }

  private at(day: string, does: () => Promise<void>): void {
    this.entries.push({ day, does });
  }

  private seen(id: string, day: string, country: Country): void {
    this.customers.set(id, country);
    this.at(day, () => this.reports.see(id, countries[country]));
  }

  /**
   * One subscription in the App Store, renewed on these days; the last day is the end of what is paid then. `then`:
   * what else the store reports.
   */
  private apple(
    id: string,
    days: string[],
    {
      product = 'm10',
      price = 10,
      trial = false,
      intro,
      shared = false,
      sandbox = false,
      then = {},
    }: {
      product?: string;
      price?: number;
      trial?: boolean;
      intro?: number;
      shared?: boolean;
      sandbox?: boolean;
      then?: Record<string, (life: FakeSubscription) => FakeNotification>;
    } = {},
  ): void {
    const { apple } = this.stores;
    const sold = {
      id: product,
      priceMilli: price * 1_000,
      introMilli: (intro ?? 0) * 1_000,
      durationMs: 0,
    };
    let life: FakeSubscription | null = null;
    days.slice(0, -1).forEach((day, index) => {
      const lastsMs = moment(days[index + 1] ?? day) - moment(day);
      this.at(day, async () => {
        sold.durationMs = lastsMs;
        if (life) return this.reports.notifyApple(life.renew());
        const storefront = countries[this.customers.get(id) ?? 'US'];
        const account = apple.account(sandbox ? 'Sandbox' : 'Production', {
          storefront,
          isFamilyMember: shared,
        });
        life = apple.subscribe(account, sold, { trial, intro: intro !== undefined });
        await this.reports.postApple(id, life.signed());
      });
    });
    for (const [day, what] of Object.entries(then)) {
      this.at(day, () => {
        if (!life) throw new Error(`${id} has nothing on ${day}`);
        return this.reports.notifyApple(what(life));
      });
    }
  }

  private appStore(): void {
    for (const [id, day, country] of [
      ['c1', '01-05', 'US'],
      ['c2', '01-10', 'DE'],
      ['c3', '01-20', 'US'],
      ['c4', '01-25', 'US'],
      ['c5', '02-03', 'GB'],
      ['c6', '02-14', 'US'],
      ['c7', '03-02', 'US'],
      ['c8', '03-15', 'GB'],
      ['c9', '03-28', 'US'],
      ['c10', '04-20', 'US'],
      ['c11', '04-01', 'US'],
      ['c12', '04-02', 'US'],
      ['c13', '04-10', 'US'],
    ] as const) {
      this.seen(id, day, country);
    }
    const cancel = (life: FakeSubscription): FakeNotification => life.cancel();
    const expire = (life: FakeSubscription): FakeNotification => life.expire('VOLUNTARY');
    this.apple('c1', ['01-05', '02-05', '03-05', '04-05', '05-05', '06-05']);
    this.apple('c2', ['01-10', '01-17', '02-17', '03-17'], {
      trial: true,
      then: { '03-01': cancel, '03-17': expire },
    });
    this.apple('c3', ['01-20', '01-27'], { trial: true, then: { '01-22': cancel, '01-27': expire } });
    this.apple('c4', ['02-01', '2027-02-01'], {
      product: 'y120',
      price: 120,
      then: { '02-10': (life) => life.refund() },
    });
    const y180 = { id: 'y180', priceMilli: 180_000, durationMs: moment('2027-03-14') - moment('03-14') };
    this.apple('c6', ['02-14', '03-14'], {
      then: { '02-20': (life) => life.downgrade(y180), '03-14': (life) => life.renew() },
    });
    this.apple('c8', ['03-15', '04-15'], {
      intro: 4,
      then: { '04-15': (life) => life.failToRenew(6), '04-21': (life) => life.expire('BILLING_RETRY') },
    });
    this.apple('c10', ['05-05', '05-12'], { trial: true });
    this.apple('c11', ['04-05', '05-05'], { shared: true });
    this.apple('c13', ['04-10', '05-10'], { sandbox: true });
    const granted = { entitlement_id: this.world.entitlementId, expires_at: moment('2027-01-01') };
    this.at('04-05', async () => {
      const path = `${this.world.path}/customers/c12/actions/grant_entitlement`;
      const { status, text } = await this.world.client.post(path, granted);
      if (status >= 300) throw new Error(text);
    });
  }

  private play(): void {
    const { play } = this.stores;
    const week = { id: 'w3', basePlanId: 'base', priceMicros: 3_000_000, periodMs: 7 * 86_400_000 };
    const lives: FakePlaySubscription[] = [];
    const buys = async (): Promise<void> => {
      const life = play.subscribe(week, { region: 'GB' });
      lives.push(life);
      await this.reports.postPlay('c5', life.token, week);
    };
    const reports = (what: (life: FakePlaySubscription) => number[]) => async (): Promise<void> => {
      const life = lives.at(-1) as FakePlaySubscription;
      for (const type of what(life)) await this.reports.notifyPlay(life.token, type);
    };
    for (const day of ['02-03', '04-01']) this.at(day, buys);
    for (const day of ['02-10', '02-17'])
      this.at(
        day,
        reports((life) => life.renew()),
      );
    for (const day of ['02-20', '04-03'])
      this.at(
        day,
        reports((life) => life.cancel()),
      );
    for (const day of ['02-24', '04-08'])
      this.at(
        day,
        reports((life) => life.expire()),
      );
    const coins = { id: 'coins5', priceMicros: 5_000_000 };
    for (const [day, refundedOn] of [['03-02'], ['03-20', '04-03']] as const) {
      const bought: ReturnType<typeof play.buy>[] = [];
      this.at(day, async () => {
        bought.push(play.buy(coins, { region: 'US' }));
        await this.reports.postPlay('c7', bought[0]?.token ?? '', coins);
      });
      if (refundedOn === undefined) continue;
      this.at(refundedOn, async () => {
        const [one] = bought;
        if (!one) throw new Error('nothing to give back');
        play.refundProduct(one);
        const { token: purchaseToken, purchase } = one;
        const { orderId } = purchase;
        await this.reports.push({
          voidedPurchaseNotification: { purchaseToken, orderId, productType: 2, refundType: 1 },
        });
      });
    }
  }
}
