import { createContext, use } from 'react';
import type { Package } from '../../catalog.types.js';
import type { PaywallSettings } from '../paywall.types.js';
import type { SchemaNode } from './schema/document-schema.js';
import type { Layer } from './schema/layers.js';
import type { NewValueContext } from './schema/new-value.js';

/** Data that the parts of the design tab share. */
export interface Design {
  schema: SchemaNode;
  /** The tree of layers. */
  root: Layer;
  /** The selected layer. */
  layer: Layer;
  newValues: NewValueContext;
  settings: PaywallSettings;
  packages: readonly Package[];
}

export const DesignContext = createContext<Design | null>(null);

export function useDesign(): Design {
  const design = use(DesignContext);
  if (!design) throw new Error('There is no design tab around this component.');
  return design;
}
