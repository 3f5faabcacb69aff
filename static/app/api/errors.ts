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
}

/** Reads an error response, in the shape of the newsletter or of the platform (docs/api/errors.md). */
export function readError(response: Response, body: unknown): ApiError {
  const { error, message, details } = (body ?? {}) as Refusal
  const about = {
    status: response.status,
    request_id: response.headers.get('x-request-id') ?? undefined,
    retry_after_s: Number(response.headers.get('retry-after')) || undefined,
  }
  if (typeof error === 'object')
    return new ApiError(String(error.code), String(error.message), { ...about, details: error.details })
  const text = message ?? 'The service refused this.'
  return new ApiError(String(error ?? response.status).toUpperCase(), text, { ...about, details })
}

interface Refusal {
  error?: string | Record<string, unknown>
  message?: string
  details?: unknown
}
