import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { isOnline, isSignedOut } from '../api/conditions.ts'
import { ApiError } from '../api/errors.ts'
import { invalidate } from '../api/query.ts'
import { count } from '../ui/format.ts'
import { createAutosave } from '../code/autosave.ts'
import { type BlockFlaw, sendable } from './block-types.ts'
import { eachBlock, isSameDocument, type LetterDocument } from './document.ts'
import type { Content, Editor } from './editor.ts'
import { dropCopy, keepCopy, keepVersion, keptCopy } from './kept.ts'
import { mergeContents } from './merge.ts'
import { documentOf, keepSaved, loadLetter, saveLetter, type Source, type Stored } from './source.ts'

/** Why the letter on the screen differs from the stored one. */
type Trouble =
  | { kind: 'conflict'; theirs: Stored }
  | { kind: 'refused'; error: ApiError }
  /** It can no longer be changed: it is being sent. */
  | { kind: 'closed' }

export interface Session {
  /** When the letter was saved last, in ms since 1970; null before the first save of this session. */
  savedAt: ReadonlySignal<number | null>
  /** Whether something on the screen is not saved. */
  isUnsaved: ReadonlySignal<boolean>
  isSaving: ReadonlySignal<boolean>
  trouble: Signal<Trouble | null>
  /** When an earlier session wrote the text that was recovered now. */
  recovered: Signal<number | null>
  /** What is saved and previewed: the content without incomplete blocks. */
  complete: ReadonlySignal<Content>
  /** How many blocks are incomplete and therefore kept in this browser only. */
  incomplete: ReadonlySignal<number>
  /** The stored letter, as far as known. */
  saved: ReadonlySignal<Stored>
  save(): Promise<void>
  /** A newer answer of the service: shows the changes of others, unless something here is not saved. */
  refresh(stored: Stored): void
  keepMine(theirs: Stored): void
  takeTheirs(theirs: Stored): void
  /** Both changes together; null where they cannot be: both changed the same thing, or the version before is not known. */
  both(theirs: Stored): Content | null
  keepBoth(theirs: Stored, merged: Content): void
  dropRecovered(): void
  stop(): void
}

const KEEP_MS = 300

export function openSession(editor: Editor, source: Source, stored: Stored): Session {
  const saved = signal(stored)
  const savedAt = signal<number | null>(null)
  const isSaving = signal(false)
  const trouble = signal<Trouble | null>(null)
  const recovered = signal<number | null>(null)
  const checked = computed(() => {
    const content = editor.content.value
    const { document, flaws } = sendable(documentOf(source, content), saved.value.content.document, editor.types)
    return { content: { ...content, document }, flaws }
  })
  const complete = computed(() => checked.value.content)
  const isUnsaved = computed(() => !isSame(complete.value, saved.value.content))
  /** Whether the copy in the browser belongs to this session. Another window may have one of the same letter. */
  let hasCopy = false
  let keepTimer: ReturnType<typeof setTimeout> | undefined

  const keep = () => {
    clearTimeout(keepTimer)
    const content = editor.content.peek()
    const { flaws } = checked.peek()
    if (flaws.length > 0 || isUnsaved.peek()) {
      hasCopy = true
      keepCopy(source.key, { content, base: saved.peek().updated_at, at: Date.now() })
    } else if (hasCopy) {
      hasCopy = false
      dropCopy(source.key)
    }
  }
  const autosave = createAutosave(async () => {
    if (trouble.peek()?.kind === 'conflict' || trouble.peek()?.kind === 'closed' || !isUnsaved.peek()) return
    isSaving.value = true
    const content = complete.peek()
    try {
      const { content: before, updated_at: expected_updated_at } = saved.peek()
      const updated_at = await saveLetter(source, { content, saved: before, expected_updated_at })
      saved.value = { content, updated_at, updated_by: null }
      keepSaved(source, saved.peek())
      savedAt.value = Date.now()
      trouble.value = null
      keepVersion(source.key, content)
      keep()
      invalidate(`${source.kind}s/list`)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      await refused(error)
    } finally {
      isSaving.value = false
    }
  })
  const refused = async (error: ApiError) => {
    if (error.code === 'INVALID_STATE') trouble.value = { kind: 'closed' }
    else if (error.code === 'CONFLICT' && error.flawOf('/expected_updated_at') !== null) await meet()
    else {
      trouble.value = { kind: 'refused', error }
      editor.flaws.value = flawsIn(error, complete.peek().document)
      if (error.code === 'NO_ANSWER') autosave.retry()
    }
  }
  /** Another user has saved: loads the stored version. */
  const meet = async () => {
    const theirs = await loadLetter(source).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      trouble.value = { kind: 'refused', error }
    })
    if (theirs === undefined) return
    if (isSame(theirs.content, complete.peek())) saved.value = theirs
    else trouble.value = { kind: 'conflict', theirs }
  }

  recover()
  const stops = [
    effect(() => {
      editor.flaws.value = checked.value.flaws
    }),
    effect(() => {
      void editor.content.value
      clearTimeout(keepTimer)
      keepTimer = setTimeout(keep, KEEP_MS)
      if (isUnsaved.peek()) autosave.changed()
    }),
  ]
  addEventListener('pagehide', keep)

  return {
    savedAt,
    isUnsaved,
    isSaving,
    trouble,
    recovered,
    complete,
    incomplete: computed(() => new Set(checked.value.flaws.map(({ id }) => id)).size),
    saved,
    async save() {
      // A refused save is repeated.
      if (isUnsaved.peek()) autosave.changed()
      await autosave.flush()
    },
    refresh(newer) {
      if (newer.updated_at <= saved.peek().updated_at || isUnsaved.peek() || isSaving.peek()) return
      saved.value = newer
      editor.replace(newer.content)
    },
    keepMine(theirs) {
      keepVersion(source.key, theirs.content, { always: true })
      saved.value = theirs
      trouble.value = null
      autosave.changed()
      void autosave.flush()
    },
    takeTheirs(theirs) {
      keepVersion(source.key, editor.content.peek(), { always: true })
      saved.value = theirs
      trouble.value = null
      editor.replace(theirs.content)
    },
    both(theirs) {
      const base = saved.peek()
      if (base.updated_at === theirs.updated_at) return null
      return mergeContents({ base: base.content, mine: editor.content.peek(), theirs: theirs.content })
    },
    keepBoth(theirs, merged) {
      keepVersion(source.key, theirs.content, { always: true })
      keepVersion(source.key, editor.content.peek(), { always: true })
      saved.value = theirs
      trouble.value = null
      editor.replace(merged)
      autosave.changed()
      void autosave.flush()
    },
    dropRecovered() {
      recovered.value = null
      editor.replace(saved.peek().content)
    },
    stop() {
      removeEventListener('pagehide', keep)
      keep()
      clearTimeout(keepTimer)
      for (const stop of stops) stop()
      void autosave.flush().then(autosave.stop)
    },
  }

  /** Restores what an earlier session could not save. */
  function recover(): void {
    const copy = keptCopy(source.key)
    if (!copy || isSame(copy.content, stored.content)) return
    hasCopy = true
    editor.replace(copy.content)
    recovered.value = copy.at
    if (copy.base !== stored.updated_at) trouble.value = { kind: 'conflict', theirs: stored }
  }
}

/** "Saved 14:02" and other save states, as the head shows them. */
export function savingWords(
  session: Session,
  clock: (at: number) => string,
): { words: string; tone: 'bad' | 'wait' | undefined } {
  const { trouble, isSaving, isUnsaved, savedAt, incomplete } = session
  const kept = '(kept in this browser)'
  if (trouble.value?.kind === 'conflict') return { words: `Not saved ${kept}`, tone: 'bad' }
  if (isUnsaved.value || isSaving.value) {
    if (!isOnline.value) return { words: `Not saved: no connection ${kept}`, tone: 'bad' }
    if (isSignedOut.value) return { words: `Not saved: your session has ended ${kept}`, tone: 'bad' }
    if (trouble.value?.kind === 'refused') return { words: `Not saved ${kept}`, tone: 'bad' }
    return { words: isSaving.value ? 'Saving…' : 'Not saved yet', tone: undefined }
  }
  const words = savedAt.value === null ? 'Saved' : `Saved ${clock(savedAt.value)}`
  if (incomplete.value === 0) return { words, tone: undefined }
  return { words: `${words}, but for ${count(incomplete.value, 'block', 'blocks')} not complete yet`, tone: 'wait' }
}

function isSame(one: Content, other: Content): boolean {
  const words = ['name', 'subject', 'preheader'] as const
  return (
    one === other || (words.every((name) => one[name] === other[name]) && isSameDocument(one.document, other.document))
  )
}

/** The blocks that a refusal names: `/editor_json/blocks/3/props/href` is the link of the fourth. */
function flawsIn(error: ApiError, document: LetterDocument): BlockFlaw[] {
  const all = eachBlock(document)
  return error.flaws.flatMap(({ path, message }) => {
    const match = /^\/editor_json\/blocks\/(\d+)(?:\/props\/columns\/(\d+)\/blocks\/(\d+))?\/props\/(\w+)/.exec(path)
    if (!match) return []
    const [, at, column, inner, prop] = match
    const owner = document.blocks[Number(at)]
    const found = all.find(({ block, spot }) =>
      column === undefined
        ? block.id === owner?.id
        : spot.within?.block === owner?.id && spot.within?.column === Number(column) && spot.at === Number(inner),
    )
    return found ? [{ id: found.block.id, prop: prop!, message }] : []
  })
}
