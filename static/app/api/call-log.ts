import { signal } from '@preact/signals'

/** One call of the current page, for the drawer that lists them. */
export interface LoggedCall {
  id: number
  method: string
  path: string
  body: unknown
  /** Null until there is an answer. */
  status: number | null
  ms: number | null
  request_id: string | null
  answer: unknown
  /** Whether its answer came with the document, so that the browser did not make the call. */
  came_along: boolean
}

const MAX = 50
let last = 0

/** The calls of the current page, newest first. */
export const calls = signal<readonly LoggedCall[]>([])

/** Logs a call whose answer came with the document. */
export function logAnswered(path: string, body: unknown, answer: unknown): void {
  const entry: LoggedCall = {
    ...{ id: ++last, method: 'POST', path, body },
    ...{ status: 200, ms: null, request_id: null, answer, came_along: true },
  }
  calls.value = [entry, ...calls.value].slice(0, MAX)
}

/** Logs that a call begins. The returned function logs its answer. */
export function logCall(method: string, path: string, body: unknown) {
  const begun = performance.now()
  const entry: LoggedCall = {
    ...{ id: ++last, method, path, body },
    ...{ status: null, ms: null, request_id: null, answer: undefined, came_along: false },
  }
  calls.value = [entry, ...calls.value].slice(0, MAX)
  return (response: Response | null, answer?: unknown): void => {
    const ended: LoggedCall = {
      ...entry,
      status: response?.status ?? 0,
      ms: Math.round(performance.now() - begun),
      request_id: response?.headers.get('x-request-id') ?? null,
      answer,
    }
    calls.value = calls.value.map((call) => (call.id === entry.id ? ended : call))
  }
}

/** Empties the list, so that the next page shows only its own calls. */
export function clearCalls(): void {
  calls.value = []
}
