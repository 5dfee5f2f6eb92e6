import { seedCatalog } from './seed-catalog.js';
import { DAY, LifeBuilder, type LifeName, lives } from './seed-lives.js';
import { Seeded } from './seeded.js';
import type { VendorCustomer, VendorWorld } from './vendor.model.js';

export interface SeedOptions {
  customers: number;
  nowMs: number;
  seed?: number;
  /** Only these lives, in turn; by default all. */
  lives?: LifeName[];
  /** Adds a few customers of unusual size. */
  withExtremes?: boolean;
  /** Part of the customers that the list does not show. */
  hiddenPart?: number;
}

const oddIds = [
  'ada+tag@example.com',
  '100%sure',
  'with space',
  'ümlaut-ß',
  'a'.repeat(100),
  'colon:semi;',
  '日本語',
];
const texts = ['plain', 'emoji 🎉', 'line\nbreak', 'x'.repeat(500), 'quote "q"', ''];

/** A vendor's project with customers in every state, the same for the same options. */
export function seedWorld(options: SeedOptions): VendorWorld {
  const { customers: count, nowMs, seed = 1, withExtremes = false, hiddenPart = 0 } = options;
  const random = new Seeded(seed);
  const world = seedCatalog(nowMs);
  const names = options.lives ?? (Object.keys(lives) as LifeName[]);
  for (let index = 0; index < count; index += 1) {
    const life = names[index % names.length] as LifeName;
    const customer = emptyCustomer(idOf(index, random), nowMs, random, life);
    lives[life](customer, new LifeBuilder(random, nowMs, customer.id), nowMs);
    customer.hidden = random.next() < hiddenPart;
    world.customers.set(customer.id, customer);
  }
  if (withExtremes)
    for (const customer of extremes(nowMs, random)) world.customers.set(customer.id, customer);
  return world;
}

function idOf(index: number, random: Seeded): string {
  if (index % 3 === 0) return `$RCAnonymousID:${random.hex(32)}`;
  const odd = oddIds[index];
  return odd ?? `user-${index}-${random.hex(6)}`;
}

export function emptyCustomer(id: string, nowMs: number, random: Seeded, life: string): VendorCustomer {
  const firstSeenAt = nowMs - 30 * DAY - random.below(400) * DAY;
  const aliases = random.next() < 0.3 ? [`$RCAnonymousID:${random.hex(32)}`] : [];
  return {
    id,
    first_seen_at: firstSeenAt,
    last_seen_at: nowMs - random.below(20) * DAY - random.below(80_000_000),
    aliases: [id, ...aliases],
    attributes: ['$email', '$displayName', 'level'].slice(0, random.below(4)).map((name) => ({
      name,
      value: name === '$email' ? `mail${random.hex(6)}@example.com` : random.pick(texts),
      updated_at: firstSeenAt + random.below(1000),
    })),
    subscriptions: [],
    purchases: [],
    balances: {},
    hidden: false,
    life,
  };
}

/** Many aliases, many purchases, many attributes. */
function extremes(nowMs: number, random: Seeded): VendorCustomer[] {
  const aliased = emptyCustomer('many-aliases', nowMs, random, 'many-aliases');
  aliased.aliases = [aliased.id, ...Array.from({ length: 1200 }, () => `$RCAnonymousID:${random.hex(32)}`)];
  const buyer = emptyCustomer('many-purchases', nowMs, random, 'many-purchases');
  const make = new LifeBuilder(random, nowMs, buyer.id);
  buyer.purchases = Array.from({ length: 300 }, () => make.purchase('prodioscoins'));
  const described = emptyCustomer('many-attributes', nowMs, random, 'many-attributes');
  described.attributes = Array.from({ length: 60 }, (_, index) => ({
    name: `custom_${index}`,
    value: random.pick(texts) || 'x',
    updated_at: nowMs - index * 1000,
  }));
  return [aliased, buyer, described];
}
