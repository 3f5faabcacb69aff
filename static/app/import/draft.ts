import { useRef, useState } from 'preact/hooks'
import type { RequestOf } from '../api/calls.ts'
import type { Import } from '../api/operations.d.ts'

type DryRun = RequestOf<'imports/dry-run'>
export type Options = DryRun['options']

/** What a person has chosen for an import. The browser keeps it until the import is committed. */
export interface ImportDraft {
  mapping: Record<string, string>
  options: Options
  /** How the people agreed; null while nothing is chosen. */
  consent: 'shown' | 'ask' | 'contacts' | null
}

/** Changes what is chosen. What comes late, such as a field that the service had to make, finds what was chosen since. */
export type ChangeImport = (changesOf: (now: ImportDraft) => Partial<ImportDraft>) => void

const nameOf = (id: number) => `masthead-import-${id}`

/** The choices for an import: those kept here, else those of its last dry-run, else what the file suggests. */
export function useImportDraft(record: Import): [ImportDraft, ChangeImport] {
  const [draft, setDraft] = useState<ImportDraft>(() => keptDraft(record.id) ?? firstDraft(record))
  const newest = useRef(draft)
  const change: ChangeImport = (changesOf) => {
    newest.current = { ...newest.current, ...changesOf(newest.current) }
    setDraft(newest.current)
    localStorage.setItem(nameOf(record.id), JSON.stringify(newest.current))
  }
  return [draft, change]
}

export function forgetDraft(id: number): void {
  localStorage.removeItem(nameOf(id))
}

function keptDraft(id: number): ImportDraft | null {
  const kept = localStorage.getItem(nameOf(id))
  return kept === null ? null : (JSON.parse(kept) as ImportDraft)
}

function firstDraft({ mapping, options, columns }: Import): ImportDraft {
  const suggested = columns.filter(({ suggested_field }) => suggested_field !== null)
  return {
    mapping: mapping ?? Object.fromEntries(suggested.map(({ index, suggested_field }) => [index, suggested_field!])),
    options: options ?? {},
    consent: options?.consent_confirmed ? 'shown' : options?.send_confirmation ? 'ask' : options ? 'contacts' : null,
  }
}

/** The options that a choice of consent stands for. */
export function optionsOf({ options, consent }: ImportDraft): Options {
  if (consent === 'contacts') return { ...options, list_ids: [], consent_confirmed: false, send_confirmation: false }
  return { ...options, consent_confirmed: consent === 'shown', send_confirmation: consent === 'ask' }
}
