import { flawSentence, pathWords, plainTimes } from './flaw-words.ts'

/** One flaw of a request: where it is (a JSON Pointer), and what is wrong. */
interface Flaw {
  path: string
  message: string
}

/**
 * A refused or unanswered call. `code` is the server's; `NO_ANSWER` stands for a call that got no answer, or one of 500
 * and above, after it was repeated.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** Repeats the call, for a change that got no answer and cannot take effect twice. */
  again?: () => void
  /** Opens the page of the thing that a change was about, when its state did not allow the change. */
  show?: () => void

  constructor(
    readonly code: string,
    message: string,
    readonly about: { status: number; details?: unknown; request_id?: string; retry_after_s?: number },
  ) {
    super(message)
  }

  get status(): number {
    return this.about.status
  }

  get request_id(): string | undefined {
    return this.about.request_id
  }

  /** The flaws of a request that did not pass validation. */
  get flaws(): Flaw[] {
    return Array.isArray(this.about.details) ? (this.about.details as Flaw[]) : []
  }

  /**
   * Who stored the version that a change would have overwritten, and when (docs/api/conventions.md); null otherwise.
   */
  get crossed_by(): { id: string | null; name: string | null; at: string } | null {
    const [first] = this.flaws as { updated_by?: { id: string; name: string | null } | null; updated_at?: string }[]
    const { updated_by, updated_at } = first ?? {}
    return updated_at ? { id: updated_by?.id ?? null, name: updated_by?.name ?? null, at: updated_at } : null
  }

  /** The error of the field that a JSON Pointer names, or null. */
  flawOf(path: string): string | null {
    return this.flaws.find((flaw) => flaw.path === path)?.message ?? null
  }

  /** As `flawOf`, also for an error of one of the values of a field: it says which. */
  flawIn(path: string): string | null {
    const within = this.flaws.find((flaw) => flaw.path.startsWith(`${path}/`))
    return this.flawOf(path) ?? (within ? `${pathWords(within.path)}: ${within.message}` : null)
  }
}

/**
 * Reads an error response, in the shape of the newsletter or of the platform (docs/api/errors.md). Its message and its
 * flaws become sentences for people.
 */
export function readError(response: Response, body: unknown): ApiError {
  const { error, message, details } = (body ?? {}) as Refusal
  const about = {
    status: response.status,
    request_id: response.headers.get('x-request-id') ?? undefined,
    retry_after_s: Number(response.headers.get('retry-after')) || undefined,
  }
  if (typeof error === 'object') return told(String(error.code), String(error.message), error.details)
  return told(String(error ?? response.status).toUpperCase(), message ?? 'The service refused this.', details)

  function told(code: string, text: string, given: unknown): ApiError {
    const found = Array.isArray(given) ? given.map(withSentence) : given
    return new ApiError(code, messageOf(withoutFlaw(text, given), found), { ...about, details: found })
  }
}

/** The message without the first flaw, which the platform appends to it in its own words. */
function withoutFlaw(text: string, details: unknown): string {
  const [first] = Array.isArray(details) ? (details as Partial<Flaw>[]) : []
  if (first?.path === undefined || first.message === undefined) return text
  const name = first.path === '' ? 'The body' : first.path.slice(1).replaceAll('/', '.')
  const flaw = ` ${name}: ${first.message}`
  return text.endsWith(flaw) ? text.slice(0, -flaw.length) : text
}

function withSentence(flaw: unknown): unknown {
  return typeof flaw === 'object' && flaw !== null && 'message' in flaw && typeof flaw.message === 'string'
    ? { ...flaw, message: flawSentence(flaw.message) }
    : flaw
}

/** The message, or the flaw itself where the message says no more than that there is one. */
function messageOf(text: string, details: unknown): string {
  if (text !== NOT_VALID || !Array.isArray(details)) return plainTimes(text)
  const [first, ...others] = details as Flaw[]
  if (!first || others.length > 0) return 'Some of what was typed is not right.'
  const name = pathWords(first.path)
  return name === '' ? first.message : `${name}: ${first.message}`
}

/** What the service says of every request with flaws. */
const NOT_VALID = 'The request is not valid.'

interface Refusal {
  error?: string | Record<string, unknown>
  message?: string
  details?: unknown
}
