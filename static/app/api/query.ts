import { type Signal, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type ReadName, type RequestOf, type ResponseOf, read, ROOT } from './calls.ts'
import { data as documentData, projectId } from './data.ts'
import { logAnswered } from './call-log.ts'
import { callKey, readCallKey } from '../../../src/shared/app-document.ts'
import { ApiError } from './errors.ts'

/** A cache of the answers of reads, by their call. A page shows the cached answer at once and requests a new one. */

export interface Answer<T> {
  data: T | undefined
  error: ApiError | null
  /** Whether a call is under way. With `data`, an older answer is shown meanwhile. */
  busy: boolean
}

interface Entry {
  state: Signal<Answer<unknown>>
  load: (signal: AbortSignal) => Promise<unknown>
  /** When the last answer came, in ms; 0 for an answer that must be requested again. */
  at: number
  users: number
  calling: AbortController | null
}

/** A page that opens does not request a cached answer again while it is younger than this. */
const FRESH_MS = 5_000
/** After this time a failed call whose answer is on the page is repeated. */
const AGAIN_MS = 3_000
const MAX_KEPT = 100
const entries = new Map<string, Entry>()

for (const [key, answer] of Object.entries(documentData.answers)) {
  const state = signal<Answer<unknown>>({ data: answer, error: null, busy: false })
  entries.set(key, { state, load: () => Promise.reject(new Error('not set')), at: Date.now(), users: 0, calling: null })
  const { name, input } = readCallKey(key)
  logAnswered(`${ROOT}/${name}`, { project_id: projectId(), ...input }, answer)
}

export interface QueryOptions {
  /** False: no call is made yet. */
  enabled?: boolean
  /**
   * Repeats the call after this time while the tab is visible. Null or absent: never. When the repeating ends, the call
   * is made once more, so that the last answer is not older than that.
   */
  every_ms?: number | null
}

/** What a component gets: the answer, and a function that requests it again. */
export type Query<T> = Answer<T> & { reload(): void }

/** The answer of a newsletter operation that reads. */
export function useRead<Name extends ReadName>(
  operation: Name,
  body: RequestOf<Name>,
  options: QueryOptions = {},
): Query<ResponseOf<Name>> {
  return useQuery(callKey(operation, body), (signal) => read(operation, body, signal), options)
}

/**
 * The answer of any call that reads. The key names the call, so two components with the same key share it. A key begins
 * with the name of the route, such as `/project/members/list`.
 */
export function useQuery<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  { enabled = true, every_ms = null }: QueryOptions = {},
): Query<T> {
  const entry = entryOf(key, load)
  useEffect(() => {
    if (!enabled) return
    entry.users++
    entry.load = load
    if (Date.now() - entry.at > FRESH_MS && entry.calling === null) void ask(entry)
    return () => {
      entry.users--
      if (entry.users === 0) stop(entry)
    }
    // The key names the call completely, `load` included.
  }, [key, enabled])
  const repeated = useRef<string | null>(null)
  useEffect(() => {
    if (!enabled) return
    if (every_ms === null) {
      if (repeated.current === key) void ask(entry)
      repeated.current = null
      return
    }
    repeated.current = key
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && entry.calling === null) void ask(entry)
    }, every_ms)
    return () => clearInterval(timer)
  }, [key, enabled, every_ms])
  const { data, error, busy } = entry.state.value
  const isFirst = enabled && data === undefined && error === null
  return { data: data as T | undefined, error, busy: busy || isFirst, reload: () => void ask(entry) }
}

function entryOf(key: string, load: Entry['load']): Entry {
  const known = entries.get(key)
  if (known) return known
  const state = signal<Answer<unknown>>({ data: undefined, error: null, busy: false })
  const entry: Entry = { state, load, at: 0, users: 0, calling: null }
  entries.set(key, entry)
  if (entries.size > MAX_KEPT) dropOldest()
  return entry
}

function dropOldest(): void {
  for (const [key, { users }] of entries) {
    if (users > 0) continue
    entries.delete(key)
    return
  }
}

async function ask(entry: Entry): Promise<void> {
  entry.calling?.abort()
  const calling = new AbortController()
  entry.calling = calling
  entry.state.value = { ...entry.state.peek(), busy: true }
  try {
    const answer = await entry.load(calling.signal)
    if (entry.calling !== calling) return
    entry.at = Date.now()
    entry.state.value = { data: answer, error: null, busy: false }
  } catch (error) {
    if (entry.calling !== calling) return
    const isRefusal = error instanceof ApiError
    entry.state.value = { ...entry.state.peek(), error: isRefusal ? error : null, busy: false }
    if (isRefusal && error.code === 'NO_ANSWER') setTimeout(() => entry.users > 0 && void ask(entry), AGAIN_MS)
    if (!isRefusal && !calling.signal.aborted) throw error
  } finally {
    if (entry.calling === calling) entry.calling = null
  }
}

/** Aborts a call whose last component is gone. A page that opens in the same moment makes the call again. */
function stop(entry: Entry): void {
  if (entry.calling === null) return
  entry.calling.abort()
  entry.calling = null
  entry.state.value = { ...entry.state.peek(), busy: false }
}

/** Requests shown answers again when their key begins with one of these, and marks cached ones as out of date. */
export function invalidate(...names: string[]): void {
  for (const [key, entry] of entries) {
    if (!names.some((name) => key.startsWith(name))) continue
    entry.at = 0
    if (entry.users > 0) void ask(entry)
  }
}

/**
 * Replaces a cached answer, for example after a mutation that returns the new state. It stays as old as it was, because
 * such a state lacks parts of the answer, and others may have changed meanwhile.
 */
export function keepAnswer<T>(key: string, change: (kept: T | undefined) => T): void {
  const entry = entries.get(key)
  if (!entry) return
  entry.state.value = { data: change(entry.state.peek().data as T | undefined), error: null, busy: false }
}
