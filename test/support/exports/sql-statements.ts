/** A column of a view, with literals to compare it with: values of the own project, of another one, and of none. */
export interface ViewColumn {
  name: string;
  type: string;
  literals: string[];
}

export type ViewColumns = Record<string, ViewColumn[]>;

/** Columns that identify a row of a view. */
const keys: Record<string, string[]> = {
  transactions: ['store_transaction_id'],
  customers: ['customer_id'],
  subscriptions: ['id'],
  ledger: ['id'],
  events: ['id'],
  daily_revenue: ['day', 'environment', 'store', 'app_id', 'product_identifier', 'country'],
};

const families = {
  text: ['text'],
  number: ['integer', 'bigint', 'numeric'],
  time: ['timestamp with time zone', 'date'],
  boolean: ['boolean'],
  json: ['jsonb'],
  list: ['text[]'],
} as const;
type Family = keyof typeof families;

/** A view in FROM. */
interface Source {
  alias: string;
  view: string;
}

/**
 * Returns true for every value, and reports it. As cheap as a function can be, so that the planner calls it before any
 * other condition if it may.
 */
export const createTell = `CREATE FUNCTION pg_temp.tell(anyelement) RETURNS boolean COST 0.0000001 LANGUAGE plpgsql AS
  $$ BEGIN RAISE NOTICE '%', $1; RETURN true; END $$`;

/**
 * Writes statements whose result depends on rows only, never on the plan: rows come in any order, but LIMIT, windows and
 * aggregates have a complete order. Expressions that may fail are used only where every plan evaluates them for the same
 * rows, so not in joins. Literals are only compared, so that they appear in no result and no error.
 */
export class StatementWriter {
  private mayFail = false;

  constructor(
    private readonly views: ViewColumns,
    /** Returns a number below the given one. */
    private readonly below: (limit: number) => number,
  ) {}

  statement(): string {
    this.mayFail = false;
    return this.oneOf(
      () => this.scan(),
      () => this.scan(),
      () => this.aggregate(),
      () => this.windows(),
      () => this.join(),
      () => this.join(),
      () => this.subquery(),
      () => this.subquery(),
      () => this.union(),
      () => this.cte(),
    );
  }

  private pick<T>(options: readonly T[]): T {
    return options[this.below(options.length)]!;
  }

  private oneOf(...options: (() => string)[]): string {
    return this.pick(options)();
  }

  private source(alias = 't'): Source {
    return { alias, view: this.pick(Object.keys(this.views)) };
  }

  private columnsOf({ view }: Source, family: Family): ViewColumn[] {
    const types: readonly string[] = families[family];
    return this.views[view]?.filter(({ type }) => types.includes(type)) ?? [];
  }

  /** A column of the family, from the sources that have one. */
  private column(from: Source[], family: Family): { name: string; type: string; literal: string } | null {
    const withAny = from.filter((source) => this.columnsOf(source, family).length > 0);
    if (withAny.length === 0) return null;
    const source = this.pick(withAny);
    const { name, type, literals } = this.pick(this.columnsOf(source, family));
    return { name: `${source.alias}.${name}`, type, literal: this.pick(literals) };
  }

  private order(from: Source[]): string {
    return from.flatMap(({ alias, view }) => keys[view]!.map((key) => `${alias}.${key}`)).join(', ');
  }

  private text(from: Source[], depth = 2): string {
    const column = this.column(from, 'text')!.name;
    if (depth === 0) return column;
    const inner = (): string => this.text(from, depth - 1);
    return this.oneOf(
      () => column,
      () => `lower(${inner()})`,
      () => `upper(${inner()})`,
      () => `reverse(${inner()})`,
      () => `md5(${inner()})`,
      () => `substr(${inner()}, ${this.below(4) + 1}, ${this.below(9)})`,
      () => `split_part(${inner()}, '_', ${this.below(3) + 1})`,
      () => `(${inner()} || ${inner()})`,
      () => `coalesce(${inner()}, ${inner()})`,
      () => `nullif(${inner()}, ${inner()})`,
      () => `replace(${inner()}, '_', '')`,
      () => `CASE WHEN ${this.condition(from, depth - 1)} THEN ${inner()} ELSE ${inner()} END`,
      () => `(${this.number(from, depth - 1)})::text`,
      () => `to_char(${this.time(from)}, 'YYYY-MM-DD')`,
      () => this.jsonText(from),
      () => `format('%s/%s', ${inner()}, ${inner()})`,
    );
  }

  private jsonText(from: Source[]): string {
    const json = this.column(from, 'json');
    if (json) return `(${json.name})::text`;
    const list = this.column(from, 'list');
    return list ? `array_to_string(${list.name}, ',')` : this.text(from, 0);
  }

  private number(from: Source[], depth = 1): string {
    const column = this.column(from, 'number')?.name ?? `length(${this.text(from, 0)})`;
    if (depth === 0) return column;
    const inner = (): string => this.number(from, depth - 1);
    return this.oneOf(
      () => column,
      () => `(${inner()} + ${inner()})`,
      () => `(${inner()} * ${this.below(5) - 2})`,
      () => `abs(${inner()})`,
      () => `length(${this.text(from, depth - 1)})`,
      () => `strpos(${this.text(from, depth - 1)}, '_')`,
      () => `extract(day FROM ${this.time(from)})`,
      ...(this.mayFail ? [() => this.failingNumber(from)] : []),
    );
  }

  /** Fails for some rows or all. */
  private failingNumber(from: Source[]): string {
    const number = this.column(from, 'number');
    return this.oneOf(
      () => `(${this.text(from, 0)})::int`,
      () => `split_part(${this.text(from, 0)}, '_', 3)::numeric`,
      () => `(${this.jsonText(from)})::jsonb::text::int`,
      () => `length((${this.text(from, 0)})::date::text)`,
      ...(number ? [() => `(1 / (${number.name} - ${number.literal}))`] : []),
      ...(number ? [() => `sqrt((${number.literal} - ${number.name})::numeric)`] : []),
    );
  }

  private time(from: Source[]): string {
    const column = this.column(from, 'time')?.name ?? `'2026-01-01'::timestamptz`;
    return this.oneOf(
      () => column,
      () => `date_trunc('month', ${column})`,
      () => `(${column} + interval '1 day')`,
    );
  }

  /** A column of any type. */
  private anyColumn(from: Source[]): string {
    const family = this.pick(['text', 'number', 'time', 'boolean', 'json', 'list'] as const);
    return this.column(from, family)?.name ?? this.text(from, 0);
  }

  private item(from: Source[]): string {
    return this.oneOf(
      () => this.anyColumn(from),
      () => this.text(from),
      () => this.number(from),
      () => this.condition(from, 1),
    );
  }

  private items(from: Source[]): string[] {
    return Array.from({ length: this.below(3) + 1 }, () => this.item(from));
  }

  /** The column itself: operators that are leakproof are evaluated below the barrier, and may use an index. */
  private comparison(from: Source[]): string {
    const family = this.pick(['text', 'text', 'number', 'time', 'json', 'list'] as const);
    const { name, type, literal } = this.column(from, family) ?? this.column(from, 'text')!;
    const operators =
      type === 'jsonb'
        ? ['=', '@>', '<@', '<>', '>']
        : type === 'text[]'
          ? ['=', '@>', '&&', '<']
          : type === 'text'
            ? ['=', '=', '<>', '<', '>=', '~~', '!~~', '~', '^@', '~>=~']
            : ['=', '<>', '<', '>='];
    return `${name} ${this.pick(operators)} ${literal}`;
  }

  private condition(from: Source[], depth = 2): string {
    const column = this.column(from, 'boolean')?.name;
    const failing = (): string => `${this.failingNumber(from)} > 0`;
    const leaves = [
      () => this.comparison(from),
      () => this.comparison(from),
      () => `pg_temp.tell(${this.anyColumn(from)})`,
      () => `pg_temp.tell(${this.text(from, 1)})`,
      () => `${this.text(from, 1)} IS NOT NULL`,
      () => `${this.text(from, 1)} ${this.pick(['=', '<', '<>'])} ${this.text(from, 1)}`,
      () => `${this.number(from)} ${this.pick(['=', '<', '>='])} ${this.number(from)}`,
      () => `${this.text(from, 1)} LIKE ${this.pick([`'%1%'`, `'own%'`, `'%SECRET%'`, `'SECRET\\_%'`])}`,
      () => `(${this.comparison(from)}) IS NOT TRUE`,
      ...(column ? [() => column] : []),
      ...(this.mayFail ? [failing, failing, failing] : []),
    ];
    if (depth === 0) return this.oneOf(...leaves);
    const inner = (): string => this.condition(from, depth - 1);
    return this.oneOf(
      ...leaves,
      () => `(${inner()} AND ${inner()})`,
      () => `(${inner()} OR ${inner()})`,
      () => `NOT (${inner()})`,
    );
  }

  private where(from: Source[]): string {
    return this.below(4) === 0 ? '' : ` WHERE ${this.condition(from)}`;
  }

  private scan(): string {
    const from = [this.source()];
    const isLimited = this.below(3) === 0;
    this.mayFail = !isLimited && this.below(3) === 0;
    const distinct = !isLimited && this.below(4) === 0 ? 'DISTINCT ' : '';
    const limit = isLimited
      ? ` ORDER BY ${this.item(from)}, ${this.order(from)} LIMIT ${this.below(9)} OFFSET ${this.below(3)}`
      : '';
    return `SELECT ${distinct}${this.items(from).join(', ')} FROM ${this.from(from[0]!)}${this.where(from)}${limit}`;
  }

  private from({ view, alias }: Source): string {
    return `${view} ${alias}`;
  }

  private aggregateOf(from: Source[]): string {
    const filter = this.below(3) === 0 ? ` FILTER (WHERE ${this.condition(from, 1)})` : '';
    const text = this.text(from, 1);
    return `${this.oneOf(
      () => 'count(*)',
      () => `count(DISTINCT ${this.item(from)})`,
      () => `sum(${this.number(from)})`,
      () => `avg(${this.number(from)})`,
      () => `stddev(${this.number(from)})`,
      () => `min(${text})`,
      () => `max(${this.time(from)})`,
      () => `string_agg(${text}, ',' ORDER BY ${text})`,
      () => `array_agg(${text} ORDER BY ${text})`,
      () => `bool_or(${this.condition(from, 1)})`,
      () => `percentile_disc(0.5) WITHIN GROUP (ORDER BY ${text})`,
      () => `mode() WITHIN GROUP (ORDER BY ${text})`,
    )}${filter}`;
  }

  private aggregate(): string {
    const from = [this.source()];
    this.mayFail = this.below(4) === 0;
    const groups = this.items(from);
    const aggregates = [this.aggregateOf(from), this.aggregateOf(from)];
    const having = this.below(3) === 0 ? ` HAVING count(*) > ${this.below(4)}` : '';
    const numbers = groups.map((_, index) => index + 1).join(', ');
    const grouping = this.pick(['', 'ROLLUP ', 'CUBE ']);
    return `SELECT ${[...groups, ...aggregates].join(', ')} FROM ${this.from(from[0]!)}${this.where(from)} GROUP BY ${grouping}(${numbers})${having}`;
  }

  private windows(): string {
    const from = [this.source()];
    this.mayFail = this.below(4) === 0;
    const windowOf = (): string => {
      const call = this.oneOf(
        () => 'row_number()',
        () => `lag(${this.text(from)})`,
        () => `lead(${this.number(from)}, 2)`,
        () => `first_value(${this.text(from)})`,
        () => `sum(${this.number(from)})`,
        () => 'ntile(3)',
        () => 'cume_dist()',
        () => `count(*) FILTER (WHERE ${this.condition(from, 1)})`,
      );
      const partition = this.below(2) === 0 ? '' : `PARTITION BY ${this.text(from, 1)} `;
      return `${call} OVER (${partition}ORDER BY ${this.item(from)}, ${this.order(from)})`;
    };
    return `SELECT ${this.order(from)}, ${windowOf()}, ${windowOf()} FROM ${this.from(from[0]!)}${this.where(from)}`;
  }

  /** Compares texts of both sources. */
  private match(left: Source, right: Source): string {
    const names = (source: Source): string[] => this.columnsOf(source, 'text').map(({ name }) => name);
    const shared = names(left).filter((name) => names(right).includes(name));
    const equal = (name: string): string => `${left.alias}.${name} = ${right.alias}.${name}`;
    return this.oneOf(
      ...(shared.includes('customer_id') ? [() => equal('customer_id')] : []),
      ...(shared.length > 0 ? [() => equal(this.pick(shared))] : []),
      () => `${this.text([left], 1)} = ${this.text([right], 1)}`,
    );
  }

  private join(): string {
    const [left, right] = [this.source('a'), this.source('b')];
    const both = [left, right];
    const kind = this.pick(['JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN', 'LATERAL']);
    // PostgreSQL does not implement other conditions of a full join.
    const on =
      kind === 'FULL JOIN'
        ? `${this.text([left], 0)} = ${this.text([right], 0)}`
        : `${this.match(left, right)}${this.below(2) === 0 ? '' : ` AND ${this.condition(both, 1)}`}`;
    const joined =
      kind === 'LATERAL'
        ? `${this.from(left)}, LATERAL (SELECT b.* FROM ${this.from(right)} WHERE ${on} ORDER BY ${this.order([right])} LIMIT 2) b`
        : `${this.from(left)} ${kind} ${this.from(right)} ON ${on}`;
    if (this.below(2) === 0) return `SELECT ${this.items(both).join(', ')} FROM ${joined}${this.where(both)}`;
    return `SELECT ${this.aggregateOf(both)}, ${this.aggregateOf(both)} FROM ${joined}${this.where(both)}`;
  }

  private subquery(): string {
    const outer = this.source();
    const inner = this.source('s');
    const both = [outer, inner];
    const rows = `FROM ${this.from(inner)} WHERE ${this.below(2) === 0 ? this.match(outer, inner) : this.condition(both, 1)}`;
    const condition = this.oneOf(
      () => `EXISTS (SELECT 1 ${rows})`,
      () => `NOT EXISTS (SELECT 1 ${rows})`,
      () => `${this.text([outer], 1)} IN (SELECT ${this.text([inner], 1)} ${rows})`,
      () => `${this.text([outer], 1)} NOT IN (SELECT ${this.text([inner], 1)} ${rows})`,
      () => `${this.number([outer])} >= ALL (SELECT ${this.number([inner])} ${rows})`,
      () => `${this.text([outer], 1)} <> (SELECT min(${this.text([inner], 1)}) ${rows})`,
      () => `${this.text([outer], 1)} = ANY (ARRAY(SELECT ${this.text([inner], 1)} ${rows}))`,
    );
    const scalar = this.below(2) === 0 ? '' : `, (SELECT ${this.aggregateOf([inner])} ${rows})`;
    return `SELECT ${this.items([outer]).join(', ')}${scalar} FROM ${this.from(outer)} WHERE ${condition}`;
  }

  private union(): string {
    const part = (): string => {
      const from = [this.source()];
      return `SELECT ${this.text(from)}, ${this.number(from)}::numeric FROM ${this.from(from[0]!)}${this.where(from)}`;
    };
    const operator = this.pick(['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT', 'EXCEPT ALL']);
    return `${part()} ${operator} ${part()}`;
  }

  private cte(): string {
    const from = [this.source()];
    const kind = this.pick(['', 'MATERIALIZED ', 'NOT MATERIALIZED ']);
    const rows = `SELECT ${this.text(from)} AS x, ${this.number(from)} AS y FROM ${this.from(from[0]!)}${this.where(from)}`;
    return `WITH w AS ${kind}(${rows}) ${this.pick([
      'SELECT x, count(*), sum(y) FROM w GROUP BY x',
      'SELECT a.x, b.y FROM w a JOIN w b ON a.x < b.x',
      'SELECT count(*) FROM w WHERE pg_temp.tell(x)',
      'SELECT x FROM w WHERE y > (SELECT avg(y) FROM w)',
    ])}`;
  }
}
