import { computed } from '@preact/signals'
import { logCall } from './call-log.ts'
import { ended, isOnline, isOutdated, isSignedOut, isUnreachable, pausedUntil, signIns } from './conditions.ts'
import { data } from './data.ts'
import { ApiError, readError } from './errors.ts'
import { subjectHref } from './subject.ts'

/** One call of the service. */
interface Request {
  method: string
  path: string
  /** Sent as JSON, except for a FormData or Blob. */
  body?: unknown
  headers?: Record<string, string>
  /** Whether repeating the call has no second effect: a read, or a call with an idempotency key. */
  is_repeatable: boolean
  /** Aborts the call when its page is closed. */
  signal?: AbortSignal
  /** The time limit for an answer. */
  timeout_ms?: number
}

const TIMEOUT_MS = 30_000
/** Pauses before each further attempt. */
const PAUSES_MS = [500, 2_000]
const isOffline = computed(() => !isOnline.value)

/**
 * Calls the service until there is an answer. It waits while the browser is offline, while the session is over and
 * while the service asks for a pause. A repeatable call without an answer is sent again. Throws `ApiError`.
 */
export async function request<T>(asked: Request): Promise<T> {
  for (let attempt = 0; ;) {
    const session = signIns.value
    const outcome = await attemptOnce<T>(asked)
    if ('answer' in outcome) return outcome.answer
    const { error } = outcome
    if (error.status === 401 && !asked.path.startsWith('/user/login')) {
      // A 401 for a call sent before the user signed in again says nothing about the new session.
      if (session !== signIns.value) continue
      isSignedOut.value = true
      await ended(isSignedOut, asked.signal)
    } else if (error.status === 429) {
      await waitForQuota(error.about.retry_after_s ?? 5, asked.signal)
    } else if (error.code === 'NO_ANSWER' && asked.is_repeatable && !isOnline.value) {
      await ended(isOffline, asked.signal)
    } else if (error.code === 'NO_ANSWER' && asked.is_repeatable && attempt < PAUSES_MS.length) {
      await pause(PAUSES_MS[attempt++]!, asked.signal)
    } else {
      // A refusal for a full project is not about one thing that could be shown.
      const isFull = (error.about.details as { state?: string } | undefined)?.state === 'full'
      if (error.code === 'INVALID_STATE' && !isFull) error.show = () => location.assign(subjectHref(asked.body))
      throw error
    }
  }
}

type Attempt<T> = { answer: T } | { error: ApiError }

async function attemptOnce<T>({
  method,
  path,
  body,
  headers,
  signal,
  timeout_ms = TIMEOUT_MS,
}: Request): Promise<Attempt<T>> {
  const logged = logCall(method, path, body instanceof FormData || body instanceof Blob ? '(file)' : body)
  try {
    const isRaw = body instanceof FormData || body instanceof Blob
    const response = await fetch(path, {
      method,
      headers: {
        Accept: 'application/json',
        ...(body === undefined || isRaw ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || isRaw ? body : JSON.stringify(body),
      signal: AbortSignal.any([AbortSignal.timeout(timeout_ms), ...(signal ? [signal] : [])]),
    })
    const answer = await readBody(response)
    logged(response, answer)
    isOnline.value = true
    isUnreachable.value = false
    noteVersion(response)
    if (response.ok) return { answer: answer as T }
    const refusal = await readError(response, answer)
    if (response.status < 500) return { error: refusal }
    return { error: new ApiError('NO_ANSWER', refusal.message, refusal.about) }
  } catch (error) {
    logged(null)
    if (signal?.aborted) throw error
    if (navigator.onLine) isUnreachable.value = true
    else isOnline.value = false
    return { error: new ApiError('NO_ANSWER', 'The service could not be reached.', { status: 0 }) }
  }
}

/** Records the version that an answer names. */
function noteVersion(response: Response): void {
  const version = response.headers.get('x-masthead-app')
  if (version !== null && version !== data.version) isOutdated.value = true
}

async function readBody(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('json')) return response.json() as Promise<unknown>
  return type.startsWith('text/') ? response.text() : response.blob()
}

async function waitForQuota(seconds: number, signal?: AbortSignal): Promise<void> {
  const until = Date.now() + seconds * 1000
  pausedUntil.value = Math.max(pausedUntil.value ?? 0, until)
  await pause(seconds * 1000, signal)
  if (pausedUntil.value !== null && pausedUntil.value <= Date.now() + 50) pausedUntil.value = null
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}
