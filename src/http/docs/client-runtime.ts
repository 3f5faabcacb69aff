import type { Operations, Routes } from '../../../static/app/api/operations.d.ts'

export interface ClientOptions {
  /** The address of the service, such as https://masthead.example. */
  base_url: string
  /** An OAuth access token (`svc_at_…`) or a project API key (`svc_pk_…`). */
  token: string
  /** The project of operations that name none. An API key belongs to one, and needs none here. */
  project_id?: string
  /** Attempts in all, while the service says that a call may succeed later; 4 by default. */
  attempts?: number
  /** Replaces the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export interface CallOptions {
  project_id?: string
  /**
   * Names the intention: the same call with the same key happens once, however often it is tried. A new one is made
   * for each `call` that has none; a `MastheadError` has it, to try again later.
   */
  idempotency_key?: string
  signal?: AbortSignal
}

/** The properties of a `MastheadError`. */
export interface Refusal {
  /** 0 where no answer came. */
  status: number
  code: string
  /** Whether the same call may succeed later. */
  retryable: boolean
  details: unknown
  request_id: string | null
  idempotency_key: string | null
}

/** An answer that is not a success, or no answer. */
export class MastheadError extends Error {
  readonly refusal: Refusal

  constructor(message: string, refusal: Refusal, cause?: unknown) {
    super(message, { cause })
    this.name = 'MastheadError'
    this.refusal = refusal
  }
}

/** `params`, `query` and `body` of a route; what has no required property may be left out. */
export type RouteInput<Route extends { params: unknown; query: unknown; request: unknown }> = Part<
  'params',
  Route['params']
> &
  Part<'query', Route['query']> &
  Part<'body', Route['request']>
type Part<Name extends string, T> = Record<string, never> extends T ? { [N in Name]?: T } : { [N in Name]: T }

export type Client = ReturnType<typeof createClient>

/** A client of one service. Each call answers the data of a success, and throws a `MastheadError` otherwise. */
export function createClient({ base_url, token, project_id, attempts = 4, fetch = globalThis.fetch }: ClientOptions) {
  const root = `${base_url.replace(/\/+$/, '')}/`
  const authorization = token.startsWith('svc_pk_') ? token : `Bearer ${token}`

  async function send(method: string, path: string, { body, key, signal }: Sending): Promise<unknown> {
    const init: RequestInit = {
      method,
      headers: {
        Authorization: authorization,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    }
    // Without a key a second attempt could take effect twice. A request refused with 429 had no effect.
    const mayRepeat = key !== undefined || method === 'GET'
    for (let tried = 1; ; tried++) {
      const isLast = tried >= attempts
      const response = await fetch(new URL(path, root).href, init).catch((error: unknown) => {
        if (isLast || !mayRepeat || signal?.aborted) throw noAnswer(error, key)
        return null
      })
      if (response?.ok) return readBody(response)
      if (response !== null) {
        const error = await readError(response, key)
        const { retryable } = error.refusal
        const isTemporary = retryable && (mayRepeat || response.status === 429)
        if (isLast || !isTemporary) throw error
      }
      await pause(waitMs(response, tried), signal)
    }
  }

  return {
    /** Calls a newsletter operation, such as `call('campaigns/send', { campaign_id: 7 })`. */
    async call<Path extends keyof Operations>(
      path: Path,
      request: Operations[Path]['request'],
      options: CallOptions = {},
    ): Promise<Operations[Path]['response']> {
      const project = options.project_id ?? project_id
      const answer = await send('POST', `general/api/v1/newsletter/${path}`, {
        body: { ...(project === undefined ? {} : { project_id: project }), ...request },
        key: options.idempotency_key ?? crypto.randomUUID(),
        signal: options.signal,
      })
      // A stream, such as contacts/export, has no envelope.
      return (typeof answer === 'string' ? answer : (answer as { data: unknown }).data) as Operations[Path]['response']
    },

    /** Calls another route, such as `route('GET /general/api/v1/token/authorized_by', {})`. */
    async route<Name extends keyof Routes>(
      name: Name,
      input: RouteInput<Routes[Name]>,
      { signal }: Pick<CallOptions, 'signal'> = {},
    ): Promise<Routes[Name]['response']> {
      const { params = {}, query = {}, body } = input as { params?: Values; query?: Values; body?: unknown }
      const [method = '', template = ''] = name.split(' ')
      const path = template.slice(1).replaceAll(/:(\w+)/g, (_, part: string) => encodeURIComponent(params[part]!))
      const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString()
      const answer = await send(method, search === '' ? path : `${path}?${search}`, {
        body: body ?? (method === 'POST' ? {} : undefined),
        signal,
      })
      return answer as Routes[Name]['response']
    },
  }
}

type Values = Record<string, string | number | boolean>

interface Sending {
  body: unknown
  key?: string
  signal: AbortSignal | undefined
}

async function readBody(response: Response): Promise<unknown> {
  return response.headers.get('content-type')?.startsWith('application/json') ? response.json() : response.text()
}

const NOTHING_TOLD = { retryable: undefined, details: undefined }

async function readError(response: Response, key: string | undefined): Promise<MastheadError> {
  const body = (await response.json().catch(() => ({}))) as {
    error?: { code?: string; message?: string; retryable?: boolean; details?: unknown } | string
    message?: string
  }
  const { code, message, retryable, details } =
    typeof body.error === 'object' ? body.error : { ...NOTHING_TOLD, code: body.error, message: body.message }
  return new MastheadError(message ?? `The service answered ${response.status}.`, {
    status: response.status,
    code: code ?? 'unknown',
    retryable: retryable ?? (response.status === 429 || response.status >= 500),
    details,
    request_id: response.headers.get('x-request-id'),
    idempotency_key: key ?? null,
  })
}

function noAnswer(cause: unknown, key: string | undefined): MastheadError {
  const about = { status: 0, code: 'no_answer', retryable: true, details: undefined, request_id: null }
  return new MastheadError('The service did not answer.', { ...about, idempotency_key: key ?? null }, cause)
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 60_000

/** What `Retry-After` says, else twice as long as before. */
function waitMs(response: Response | null, tried: number): number {
  const told = Number(response?.headers.get('retry-after') ?? Number.NaN)
  return Math.min(LONGEST_WAIT_MS, Number.isFinite(told) ? told * 1000 : FIRST_WAIT_MS * 2 ** (tried - 1))
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
