import { logCall } from '../api/call-log.ts'
import { isSignedOut } from '../api/conditions.ts'
import { ApiError } from '../api/errors.ts'

/** What came back, as it came. */
export interface Tried {
  status: number
  ms: number
  /** One a line. */
  headers: string
  text: string
}

const TIMEOUT_MS = 30_000
const MOST_CHARACTERS = 100_000

/** Calls an operation once and answers whatever comes, refusals too. */
export async function tryCall(operation: string, body: Record<string, unknown>): Promise<Tried> {
  const path = `/project/newsletter/${operation}`
  const logged = logCall('POST', path, body)
  const begun = performance.now()
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const raw = await response.text()
    const ms = Math.round(performance.now() - begun)
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    const answer: unknown = isJson ? JSON.parse(raw) : raw
    logged(response, answer)
    if (response.status === 401) isSignedOut.value = true
    const text = isJson ? JSON.stringify(answer, null, 2) : raw
    return {
      ...{ status: response.status, ms },
      headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
      text: text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}\n…` : text,
    }
  } catch {
    logged(null)
    throw new ApiError('NO_ANSWER', 'The service could not be reached.', { status: 0 })
  }
}
