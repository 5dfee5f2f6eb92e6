import { textOf } from '../document/text-of.js';
import type { JsonObject } from '../../kernel/index.js';
import type { PaywallDocument, PaywallProblem } from '../model.js';
import { below } from '../document/pointer.js';
import { type Visit, visits } from '../document/visits.js';

/** Everything that a document is checked against: its offering, the project's settings, and its images. */
export interface ProblemContext {
  offering: { lookupKey: string; packages: ReadonlySet<string> };
  /** Lookup keys. */
  activeOfferings: ReadonlySet<string>;
  colors: ReadonlySet<string>;
  fonts: ReadonlySet<string>;
  customVariables: ReadonlySet<string>;
  images: {
    /** Address of all blobs of this server, with a slash at its end. */
    serverUrl: string;
    /** Address of the blobs of the project, without the ref. */
    projectUrl: string;
    refs: ReadonlySet<string>;
  };
  isProduction: boolean;
  nowMs: number;
}

/** A document that holds the schema, with what the rules look up in it. */
export class CheckedDocument {
  readonly visits: readonly Visit[];
  readonly components: readonly Visit[];

  constructor(
    readonly document: PaywallDocument,
    readonly context: ProblemContext,
  ) {
    this.visits = [...visits(document.components_config, '/components_config')];
    this.components = this.visits.filter(({ isComponent }) => isComponent);
  }

  get localizations(): [locale: string, texts: JsonObject][] {
    return Object.entries(this.document.components_localizations);
  }

  /** Texts of the default locale; undefined if it has none. */
  get texts(): JsonObject | undefined {
    return this.document.components_localizations[this.document.default_locale];
  }

  ofType(...types: string[]): Visit[] {
    return this.components.filter(({ object }) => types.includes(textOf(object.type)));
  }

  /** Every text value under one of some keys, with its place. */
  valuesOf(keys: ReadonlySet<string>): { value: string; path: string; visit: Visit }[] {
    return this.visits.flatMap((visit) =>
      Object.entries(visit.object).flatMap(([key, value]) =>
        keys.has(key) && typeof value === 'string' ? [{ value, path: below(visit.path, key), visit }] : [],
      ),
    );
  }
}

export type ProblemRule = (checked: CheckedDocument) => PaywallProblem[];
