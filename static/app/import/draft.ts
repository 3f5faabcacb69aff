import { useRef, useState } from 'preact/hooks'
import type { RequestOf } from '../api/calls.ts'
import type { Import } from '../api/operations.d.ts'
import { store, stored } from '../api/stored.ts'

type DryRun = RequestOf<'imports/dry-run'>
export type Options = DryRun['options']

/** What the user chose for an import. The browser stores it until the import is committed. */
export interface ImportDraft {
  mapping: Record<string, string>
  options: Options
  /** The program that exported the file; empty for another one, undefined before a choice. */
  provider?: string
  /** How the people consented; null before a choice. */
  consent: 'shown' | 'ask' | 'contacts' | null
}

/** Updates the choices. The updater gets the current ones, also after a wait such as for a new custom field. */
export type ChangeImport = (changesOf: (now: ImportDraft) => Partial<ImportDraft>) => void

const nameOf = (id: number) => `masthead-import-${id}`

/** The choices for an import: those stored here, else those of its last dry run, else what the file suggests. */
export function useImportDraft(record: Import): [ImportDraft, ChangeImport] {
  const [draft, setDraft] = useState<ImportDraft>(() => stored<ImportDraft>(nameOf(record.id)) ?? firstDraft(record))
  const newest = useRef(draft)
  const change: ChangeImport = (changesOf) => {
    newest.current = { ...newest.current, ...changesOf(newest.current) }
    setDraft(newest.current)
    store(nameOf(record.id), newest.current)
  }
  return [draft, change]
}

export function forgetDraft(id: number): void {
  localStorage.removeItem(nameOf(id))
}

function firstDraft({ mapping, options, columns }: Import): ImportDraft {
  return {
    mapping: mapping ?? suggestedMapping({ columns }),
    options: options ?? {},
    consent: options?.consent_confirmed ? 'shown' : options?.send_confirmation ? 'ask' : options ? 'contacts' : null,
  }
}

/** The fields that the headers suggest. */
export function suggestedMapping({ columns }: Pick<Import, 'columns'>): Record<string, string> {
  return Object.fromEntries(
    columns.flatMap(({ index, suggested_field }) => (suggested_field === null ? [] : [[index, suggested_field]])),
  )
}

/** The import options for each choice of consent. */
export function optionsOf({ options, consent }: ImportDraft): Options {
  if (consent === 'contacts') return { ...options, list_ids: [], consent_confirmed: false, send_confirmation: false }
  return { ...options, consent_confirmed: consent === 'shown', send_confirmation: consent === 'ask' }
}
