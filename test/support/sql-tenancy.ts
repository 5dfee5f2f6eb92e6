import { loadModule, parseSync } from 'libpg-query';

type Node = Record<string, unknown>;

/** A table, or its equivalent in FROM. */
interface Relation {
  /** `table`: rows of tenants. `origin`: the table of tenants itself. `derived`: a subquery, CTE or function. */
  kind: 'table' | 'origin' | 'derived' | 'other';
  name: string;
  column: string;
}

/** Resolves names within a query; `outer` resolves those it does not know. */
interface Scope {
  relations: Map<string, Relation>;
  outer: Scope | null;
  ctes: ReadonlySet<string>;
}

/** Right side of a tenant column's comparison: another relation's column, or a constant of the statement. */
type Side = Relation | 'fixed' | null;

export interface TenantColumns {
  /** Column of the tenant by table. */
  tables: ReadonlyMap<string, string>;
  /** The table of the tenants and its key. */
  origin: { table: string; column: string };
  /** Whether the column of another table counts if that table is restricted. */
  mayFollow?: boolean;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);
const child = (node: Node | undefined, name: string): Node | undefined => {
  const found = node?.[name];
  return isNode(found) ? found : undefined;
};
const nameIn = (node: Node | undefined, field: string): string | undefined => {
  const found = node?.[field];
  return typeof found === 'string' ? found : undefined;
};
const textOf = (node: Node): string => nameIn(child(node, 'String'), 'sval') ?? '';

const STATEMENTS = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'] as const;

/** Finds the tables of a statement that are not restricted to tenants. */
class TenancyCheck {
  private readonly used: Relation[] = [];
  private readonly named = new Set<string>();
  /** The first is restricted as soon as the second is. */
  private readonly follows: [Relation, Relation][] = [];
  private readonly restricted = new Set<Relation>();

  constructor(private readonly columns: TenantColumns) {}

  unrestricted(): string[] {
    for (let before = -1; before !== this.restricted.size;) {
      before = this.restricted.size;
      for (const [follower, leader] of this.follows) {
        if (this.restricted.has(leader)) this.restricted.add(follower);
      }
    }
    return this.used.filter((relation) => !this.restricted.has(relation)).map(({ name }) => name);
  }

  tables(): string[] {
    return [...this.named].sort();
  }

  /** A SELECT, INSERT, UPDATE or DELETE, wherever it stands. */
  query(node: Node, outer: Scope | null, ctes: ReadonlySet<string>): void {
    const kind = STATEMENTS.find((name) => isNode(node[name]));
    const body = kind && child(node, kind);
    if (!kind || !body) return;
    const scope: Scope = { relations: new Map(), outer, ctes: this.withCtes(body, outer, ctes) };
    if (kind === 'SelectStmt' && isNode(body.larg) && isNode(body.rarg)) {
      for (const side of [body.larg, body.rarg]) this.query({ SelectStmt: side }, outer, scope.ctes);
      return;
    }
    const target = child(body, 'relation');
    if (target && kind === 'InsertStmt') this.insert(target, body, scope);
    else if (target) this.table(target, scope);
    for (const from of ['fromClause', 'usingClause', 'sourceRelation']) {
      for (const item of Array.isArray(body[from]) ? list(body[from]) : list([body[from]])) {
        this.from(item, scope);
      }
    }
    for (const name of ['whereClause', 'joinCondition']) {
      const condition = child(body, name);
      if (condition) this.condition(condition, scope, null);
    }
    this.subqueries({ ...body, withClause: undefined }, scope);
  }

  private withCtes(body: Node, outer: Scope | null, known: ReadonlySet<string>): ReadonlySet<string> {
    const names = new Set(known);
    for (const item of list(child(body, 'withClause')?.ctes)) {
      const cte = child(item, 'CommonTableExpr');
      if (child(body, 'withClause')?.recursive === true) names.add(nameIn(cte, 'ctename') ?? '');
      const query = child(cte, 'ctequery');
      if (query) this.query(query, outer, names);
      names.add(nameIn(cte, 'ctename') ?? '');
    }
    return names;
  }

  /** An inserted row says whose it is. */
  private insert(target: Node, body: Node, scope: Scope): void {
    const relation = this.table(target, scope);
    const named = list(body.cols).some((item) => child(item, 'ResTarget')?.name === relation.column);
    if (named || relation.kind !== 'table') this.restricted.add(relation);
  }

  private table(node: Node, scope: Scope): Relation {
    const name = nameIn(node, 'relname') ?? '';
    const alias = nameIn(child(node, 'alias'), 'aliasname') ?? name;
    const column = this.columns.tables.get(name);
    const isCte = node.schemaname === undefined && scope.ctes.has(name);
    const isOrigin = name === this.columns.origin.table;
    const relation: Relation = isCte
      ? this.derived(name)
      : isOrigin
        ? { kind: 'origin', name, column: this.columns.origin.column }
        : { kind: column === undefined ? 'other' : 'table', name, column: column ?? '' };
    if (relation.kind === 'table') this.used.push(relation);
    if (relation.kind !== 'derived') this.named.add(name);
    scope.relations.set(alias, relation);
    return relation;
  }

  /** Its contents were restricted where it was written. */
  private derived(name: string): Relation {
    const relation: Relation = { kind: 'derived', name, column: '' };
    this.restricted.add(relation);
    return relation;
  }

  /** Gives the relations of an item of FROM. */
  private from(item: Node, scope: Scope): Relation[] {
    const table = child(item, 'RangeVar');
    if (table) return [this.table(table, scope)];
    const join = child(item, 'JoinExpr');
    if (join) return this.join(join, scope);
    const body = child(item, 'RangeSubselect') ?? child(item, 'RangeFunction');
    const relation = this.derived(nameIn(child(body, 'alias'), 'aliasname') ?? '');
    const query = child(body, 'subquery');
    if (query) this.query(query, body?.lateral === true ? scope : scope.outer, scope.ctes);
    scope.relations.set(relation.name, relation);
    return [relation];
  }

  private join(join: Node, scope: Scope): Relation[] {
    const left = this.from(child(join, 'larg') ?? {}, scope);
    const right = this.from(child(join, 'rarg') ?? {}, scope);
    const isInner = join.jointype === 'JOIN_INNER';
    const narrowed = isInner ? null : join.jointype === 'JOIN_LEFT' ? right : [];
    const quals = child(join, 'quals');
    if (quals) this.condition(quals, scope, narrowed);
    for (const column of list(join.usingClause).map(textOf)) {
      for (const one of left) {
        for (const other of right) {
          const has = (side: Relation): boolean => side.kind === 'derived' || side.column === column;
          if (has(one) && has(other)) this.equal(one, other, narrowed);
        }
      }
    }
    return [...left, ...right];
  }

  /** @param narrowed relations that the condition restricts; null: all of them */
  private condition(node: Node, scope: Scope, narrowed: Relation[] | null): void {
    const all = child(node, 'BoolExpr');
    if (all?.boolop === 'AND_EXPR') for (const part of list(all.args)) this.condition(part, scope, narrowed);
    const link = child(node, 'SubLink');
    if (link?.subLinkType === 'ANY_SUBLINK')
      this.compared(child(link, 'testexpr'), undefined, scope, narrowed);
    const comparison = child(node, 'A_Expr');
    if (list(comparison?.name).map(textOf).join() !== '=') return;
    const isList = comparison?.kind === 'AEXPR_IN' || comparison?.kind === 'AEXPR_OP_ANY';
    if (comparison?.kind !== 'AEXPR_OP' && !isList) return;
    const { lexpr, rexpr } = comparison ?? {};
    this.compared(
      isNode(lexpr) ? lexpr : undefined,
      !isList && isNode(rexpr) ? rexpr : undefined,
      scope,
      narrowed,
    );
  }

  /** `right` undefined: a list or a query of values. */
  private compared(
    left: Node | undefined,
    right: Node | undefined,
    scope: Scope,
    narrowed: Relation[] | null,
  ): void {
    const parts = (node: Node | undefined): (Node | undefined)[] => {
      const row = child(node, 'RowExpr');
      return row ? list(row.args) : [node];
    };
    const rights = parts(right);
    parts(left).forEach((part, index) => {
      const one = part ? this.side(part, scope) : null;
      const other = right === undefined ? 'fixed' : rights[index] ? this.side(rights[index], scope) : null;
      this.equal(one, other, narrowed);
    });
  }

  private equal(one: Side, other: Side, narrowed: Relation[] | null): void {
    const follow = (follower: Side, leader: Side): void => {
      if (follower === null || follower === 'fixed' || leader === null) return;
      if (narrowed !== null && !narrowed.includes(follower)) return;
      if (leader === 'fixed' || leader.kind === 'derived') this.restricted.add(follower);
      else if (this.columns.mayFollow === true) this.follows.push([follower, leader]);
    };
    follow(one, other);
    follow(other, one);
  }

  /** The relation whose tenant an expression is; `fixed` for values; null for other columns. */
  private side(expression: Node, scope: Scope): Side {
    const cast = child(expression, 'TypeCast');
    if (cast) return this.side(child(cast, 'arg') ?? {}, scope);
    const reference = child(expression, 'ColumnRef');
    if (!reference) return 'fixed';
    const names = list(reference.fields).map(textOf);
    const column = names.at(-1) ?? '';
    const relation = this.resolve(scope, names.length > 1 ? names.at(-2) : undefined, column);
    if (relation?.kind === 'derived') return relation;
    return relation?.column === column ? relation : null;
  }

  private resolve(scope: Scope | null, alias: string | undefined, column: string): Relation | null {
    if (scope === null) return null;
    const found =
      alias === undefined
        ? ([...scope.relations.values()].find((relation) => relation.column === column) ??
          [...scope.relations.values()].find(({ kind }) => kind === 'derived'))
        : scope.relations.get(alias);
    return found ?? this.resolve(scope.outer, alias, column);
  }

  /** Queries in expressions see the relations around them; those in FROM were read before. */
  private subqueries(value: unknown, scope: Scope): void {
    if (Array.isArray(value)) for (const item of value) this.subqueries(item, scope);
    if (!isNode(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'RangeSubselect') continue;
      if (!isNode(inner) && !Array.isArray(inner)) continue;
      if (STATEMENTS.some((kind) => kind === name)) this.query(value, scope, scope.ctes);
      else this.subqueries(inner, scope);
    }
  }
}

export const loadParser = loadModule;

function checked(text: string, columns: TenantColumns): TenancyCheck {
  const { stmts } = parseSync(text) as unknown as { stmts?: Node[] };
  const check = new TenancyCheck(columns);
  for (const { stmt } of stmts ?? []) if (isNode(stmt)) check.query(stmt, null, new Set());
  return check;
}

/**
 * Tables of tenants that a statement does not restrict to some: whose tenant column it nowhere compares, by `=`, `IN`
 * or `= ANY`, with a parameter, a constant or a column of a subquery. The column of another table counts only with
 * `mayFollow`, because a distributed database does not derive one from the other. Only conditions that always hold count: not those below OR and NOT.
 * Needs `loadParser` once.
 * @throws Error for what is not SQL
 */
export function unrestrictedTables(text: string, columns: TenantColumns): string[] {
  return checked(text, columns).unrestricted();
}

/**
 * Names of all tables in a statement, except its common table expressions. Needs `loadParser` once.
 * @throws Error for what is not SQL
 */
export function tablesOf(text: string): string[] {
  return checked(text, { tables: new Map(), origin: { table: '', column: '' } }).tables();
}
