import type { Call } from '../../../src/shared/calls.ts'
import { logCall } from '../api/call-log.ts'
import { isSignedOut } from '../api/conditions.ts'
import { ApiError } from '../api/errors.ts'

/** The response of a tried call. */
export interface Tried {
  status: number
  ms: number
  /** The calls left in this minute, when the response says so. */
  rate: { left: number; of: number } | null
  /** One header per line. */
  headers: string
  text: string
}

/** What is read of a call to send it. */
type Sent = Pick<Call, 'method' | 'path' | 'auth' | 'parameters'>

/** A call to try. */
interface Trial {
  call: Sent
  /** An API key or an access token instead of the session. */
  credential: string | null
  /** Values of the path and of the query, by name. */
  values: Readonly<Record<string, string>>
  /** Null for calls without a body. */
  body: Record<string, unknown> | null
}

const TIMEOUT_MS = 30_000
const MAX_CHARACTERS = 100_000
const NEWSLETTER = '/general/api/v1/newsletter/'

/** Sends a call once and returns any response, also a refusal. */
export async function tryCall({ call, credential, values, body }: Trial): Promise<Tried> {
  const filled = filledPath(call, values)
  // Sessions call newsletter operations through the dashboard's entry point.
  const path = credential === null ? filled.replace(NEWSLETTER, '/project/newsletter/') : filled
  const logged = logCall(call.method, path, body)
  const begun = performance.now()
  try {
    const response = await fetch(path, {
      method: call.method,
      credentials: credential === null ? 'same-origin' : 'omit',
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        ...(credential !== null && { Authorization: call.auth === 'oauth2' ? `Bearer ${credential}` : credential }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const raw = await response.text()
    const ms = Math.round(performance.now() - begun)
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    const answer: unknown = isJson ? JSON.parse(raw) : raw
    logged(response, answer)
    if (response.status === 401 && credential === null) isSignedOut.value = true
    const text = isJson ? JSON.stringify(answer, null, 2) : raw
    return {
      ...{ status: response.status, ms, rate: rateOf(response.headers) },
      headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
      text: text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n…` : text,
    }
  } catch {
    logged(null)
    throw new ApiError('NO_ANSWER', 'The service could not be reached.', { status: 0 })
  }
}

/** The path of a call with its values; a parameter without a value keeps its placeholder. */
export function filledPath(
  { path, parameters }: Pick<Sent, 'path' | 'parameters'>,
  values: Readonly<Record<string, string>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (name, key: string) =>
    values[key] ? encodeURIComponent(values[key]) : name,
  )
  const asked = parameters.filter((parameter) => parameter.in === 'query' && values[parameter.name])
  const query = new URLSearchParams(asked.map(({ name }) => [name, values[name]!])).toString()
  return query === '' ? filled : `${filled}?${query}`
}

function rateOf(headers: Headers): Tried['rate'] {
  const of = headers.get('ratelimit-limit')
  const left = headers.get('ratelimit-remaining')
  return of === null || left === null ? null : { left: Number(left), of: Number(of) }
}
