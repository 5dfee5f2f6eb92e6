import { type ComponentType, createContext } from 'react';
import type { FieldKind } from '../../schema/fields.js';
import type { EditorProps } from './editor-props.js';

export type FieldEditors = Record<FieldKind, ComponentType<EditorProps>>;

/** The editors by context, because those of values with parts need all others. */
export const EditorsContext = createContext<FieldEditors | null>(null);
